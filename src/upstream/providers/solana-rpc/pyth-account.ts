import { type Unusable, unusable } from "../../../catalog/unusable.ts";
import { scaleInteger } from "../fixed-point.ts";
import { findPythFault, type PythPrice } from "../pyth-price.ts";
import type { SolanaAccount } from "./accounts.ts";
import { PYTH_RECEIVERS, type PythFeed } from "./pyth-feeds.ts";

/** First 8 bytes of sha256("account:PriceUpdateV2"). */
export const PRICE_UPDATE_DISCRIMINATOR = Uint8Array.of(34, 241, 35, 99, 157, 126, 244, 205);

export const PRICE_UPDATE_BYTES = 134;
const VERIFICATION_OFFSET = 40;
const VERIFICATION_FULL = 1;
/** The message follows the verification tag, which has one byte when it says "full". */
const MESSAGE_OFFSET = VERIFICATION_OFFSET + 1;

/** Little-endian fields of the message, as offsets from its start. */
const FIELDS = {
  price: 32,
  conf: 40,
  exponent: 48,
  publish_time: 52,
  ema_price: 68,
  ema_conf: 76,
  posted_slot: 84,
} as const;

export const isEqualBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/**
 * Decodes a `PriceUpdateV2` account, or says why it must not be used: another owner, layout or feed, signatures that
 * were checked in part only, a price that is not above 0, or a publish time in the future. How old is too old is for
 * the caller to say. Layout: pyth-network/pyth-crosschain, pyth_solana_receiver_sdk/src/price_update.rs.
 */
export function parsePythAccount(
  account: Omit<SolanaAccount, "bytes">,
  expected: { readonly feed: PythFeed; readonly slot: number; readonly now_ms: number },
): PythPrice | Unusable {
  const { data } = account;
  const owners: readonly string[] = Object.values(PYTH_RECEIVERS);
  if (!owners.includes(account.owner)) return unusable("the account belongs to another program");
  if (data.length !== PRICE_UPDATE_BYTES) return unusable(`the account has ${data.length} bytes`);
  if (!isEqualBytes(data.subarray(0, 8), PRICE_UPDATE_DISCRIMINATOR)) return unusable("the account is no price update");
  if (data[VERIFICATION_OFFSET] !== VERIFICATION_FULL) return unusable("the signatures were not checked in full");
  const feed_id = toHex(data.subarray(MESSAGE_OFFSET, MESSAGE_OFFSET + FIELDS.price));
  if (feed_id !== expected.feed.feed_id) return unusable("the account holds another feed");

  const message = new DataView(data.buffer, data.byteOffset + MESSAGE_OFFSET);
  const exponent = message.getInt32(FIELDS.exponent, true);
  const read = {
    price: scaleInteger(message.getBigInt64(FIELDS.price, true), exponent),
    conf: scaleInteger(message.getBigUint64(FIELDS.conf, true), exponent),
    publish_time_ms: Number(message.getBigInt64(FIELDS.publish_time, true)) * 1000,
    ema_price: scaleInteger(message.getBigInt64(FIELDS.ema_price, true), exponent),
    ema_conf: scaleInteger(message.getBigUint64(FIELDS.ema_conf, true), exponent),
    publish_slot: Number(message.getBigUint64(FIELDS.posted_slot, true)),
  };
  const fault = findPythFault(read, expected.now_ms);
  if (fault) return fault;
  return {
    ...read,
    feed_id,
    exponent,
    verification: "full",
    path: "solana_push_feed",
    account: account.address,
    slot_kind: "solana_posted_slot",
    context_slot: expected.slot,
  };
}
