import { MINT_BYTES, MINT_DECIMALS_AT, MINT_INITIALISED_AT } from "./mint.ts";
import { PRICE_UPDATE_BYTES, PRICE_UPDATE_DISCRIMINATOR } from "./pyth-account.ts";
import { encodeRedStoneFeed, REDSTONE_DISCRIMINATOR } from "./redstone-account.ts";

export interface PythAccountFields {
  readonly feed_id: string;
  readonly price: bigint;
  readonly conf: bigint;
  readonly exponent: number;
  readonly publish_time_s: bigint;
  readonly prev_publish_time_s: bigint;
  readonly ema_price: bigint;
  readonly ema_conf: bigint;
  readonly posted_slot: bigint;
  /** Number of signatures checked, when not all were. */
  readonly partial?: number;
}

const WRITE_AUTHORITY_BYTE = 1;

/** Bytes of a Pyth `PriceUpdateV2` account. The account has room for the longer tag; the last byte is then unused. */
export function encodePythAccount(fields: PythAccountFields): Uint8Array {
  const bytes = new Uint8Array(PRICE_UPDATE_BYTES);
  bytes.set(PRICE_UPDATE_DISCRIMINATOR, 0);
  bytes.fill(WRITE_AUTHORITY_BYTE, 8, 40);
  const start = fields.partial === undefined ? 41 : 42;
  bytes[40] = fields.partial === undefined ? 1 : 0;
  if (fields.partial !== undefined) bytes[41] = fields.partial;
  bytes.set(Buffer.from(fields.feed_id, "hex"), start);
  const view = new DataView(bytes.buffer, start);
  view.setBigInt64(32, fields.price, true);
  view.setBigUint64(40, fields.conf, true);
  view.setInt32(48, fields.exponent, true);
  view.setBigInt64(52, fields.publish_time_s, true);
  view.setBigInt64(60, fields.prev_publish_time_s, true);
  view.setBigInt64(68, fields.ema_price, true);
  view.setBigUint64(76, fields.ema_conf, true);
  view.setBigUint64(84, fields.posted_slot, true);
  return bytes;
}

export interface RedStoneAccountFields {
  readonly feed: string;
  readonly value: bigint;
  readonly timestamp_ms: bigint;
  readonly write_timestamp_ms: bigint | null;
  readonly write_slot: bigint;
  readonly decimals: number;
}

/** Bytes of a RedStone price account. */
export function encodeRedStoneAccount(fields: RedStoneAccountFields): Uint8Array {
  const option = fields.write_timestamp_ms === null ? 1 : 9;
  const bytes = new Uint8Array(80 + option + 73);
  bytes.set(REDSTONE_DISCRIMINATOR, 0);
  bytes.set(encodeRedStoneFeed(fields.feed), 8);
  bytes.set(Buffer.from(fields.value.toString(16).padStart(64, "0"), "hex"), 40);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(72, fields.timestamp_ms, true);
  if (fields.write_timestamp_ms !== null) {
    view.setUint8(80, 1);
    view.setBigUint64(81, fields.write_timestamp_ms, true);
  }
  view.setBigUint64(80 + option, fields.write_slot, true);
  view.setUint8(88 + option, fields.decimals);
  return bytes;
}

/** Bytes of a mint of the SPL Token program. */
export function encodeMint(decimals: number): Uint8Array {
  const bytes = new Uint8Array(MINT_BYTES);
  bytes[MINT_DECIMALS_AT] = decimals;
  bytes[MINT_INITIALISED_AT] = 1;
  return bytes;
}
