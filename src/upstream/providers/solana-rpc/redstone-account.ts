import { type Unusable, unusable } from "../../../catalog/unusable.ts";
import { CLOCK_SKEW_MAX_MS } from "../clock-skew.ts";
import { scaleInteger } from "../fixed-point.ts";
import type { SolanaAccount } from "./accounts.ts";
import { isEqualBytes } from "./pyth-account.ts";
import { REDSTONE_PROGRAM } from "./redstone-feeds.ts";

export interface RedStonePrice {
  /** USD. */
  readonly price: number;
  /** Time of the data, ms. */
  readonly timestamp_ms: number;
  /** Time it was written to the ledger, ms; null when the account states none. */
  readonly write_timestamp_ms: number | null;
  readonly write_slot: number;
}

export const REDSTONE_DISCRIMINATOR = Uint8Array.of(232, 113, 193, 231, 133, 209, 206, 154);
const FEED_OFFSET = 8;
const VALUE_OFFSET = FEED_OFFSET + 32;
const TIMESTAMP_OFFSET = VALUE_OFFSET + 32;
const OPTION_OFFSET = TIMESTAMP_OFFSET + 8;
/** Slot, decimals and the reserved bytes at the end. */
const TAIL_BYTES = 8 + 1 + 64;
const ACCOUNT_BYTES_MAX = 1_000;
const DECIMALS_MAX = 18;

/** A feed's name as the account holds it: ASCII, filled up with zeros. */
export function encodeRedStoneFeed(name: string): Uint8Array {
  const bytes = new Uint8Array(32);
  bytes.set(new TextEncoder().encode(name).subarray(0, 32));
  return bytes;
}

/**
 * Decodes a RedStone price account, or says why it must not be used. The value is big-endian, all else little-endian.
 * Layout: redstone-finance/redstone-docs, dapps/non-evm/solana/price-feed-account.
 */
export function parseRedStoneAccount(
  account: Omit<SolanaAccount, "bytes">,
  expected: { readonly feed: string; readonly now_ms: number },
): RedStonePrice | Unusable {
  const { data } = account;
  if (account.owner !== REDSTONE_PROGRAM) return unusable("the account belongs to another program");
  if (data.length <= OPTION_OFFSET || data.length > ACCOUNT_BYTES_MAX)
    return unusable(`the account has ${data.length} bytes`);
  if (!isEqualBytes(data.subarray(0, 8), REDSTONE_DISCRIMINATOR)) return unusable("the account is no price");
  const feed = data.subarray(FEED_OFFSET, VALUE_OFFSET);
  if (!isEqualBytes(feed, encodeRedStoneFeed(expected.feed))) return unusable("the account holds another feed");

  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const tag = view.getUint8(OPTION_OFFSET);
  if (tag > 1) return unusable("the write time's tag is neither 0 nor 1");
  const tail = OPTION_OFFSET + 1 + 8 * tag;
  if (data.length < tail + TAIL_BYTES) return unusable(`the account has ${data.length} bytes`);
  const decimals = view.getUint8(tail + 8);
  if (decimals > DECIMALS_MAX) return unusable(`${decimals} decimals`);
  const value = BigInt(`0x${Buffer.from(data.subarray(VALUE_OFFSET, TIMESTAMP_OFFSET)).toString("hex")}`);
  const price = scaleInteger(value, -decimals);
  const timestamp_ms = Number(view.getBigUint64(TIMESTAMP_OFFSET, true));
  const write_slot = Number(view.getBigUint64(tail, true));
  if (!(price > 0) || !Number.isFinite(price)) return unusable("the price is not above 0");
  if (!Number.isSafeInteger(timestamp_ms) || timestamp_ms <= 0) return unusable("the time cannot be read");
  if (timestamp_ms > expected.now_ms + CLOCK_SKEW_MAX_MS) return unusable("the time lies in the future");
  if (!Number.isSafeInteger(write_slot)) return unusable("the slot cannot be read");
  return {
    price,
    timestamp_ms,
    write_timestamp_ms: tag === 1 ? Number(view.getBigUint64(OPTION_OFFSET + 1, true)) : null,
    write_slot,
  };
}
