import { decode, encode, IntMode } from "algorand-msgpack";

/** What Algorand transactions are made of. Numbers are never negative. */
export type Value = bigint | boolean | string | Uint8Array | readonly Value[] | MsgpackMap;

/** Values by name, in the order they are written. */
export type MsgpackMap = ReadonlyMap<string, Value>;

const DEPTH_MAX = 8;
const KEY_BYTES = 32;
/** No atomic group of 16 transactions comes near it. */
const BYTES_MAX = 1_000_000;

export const isMap = (value: unknown): value is MsgpackMap => value instanceof Map;

/** What Algorand leaves out of a map: an entry of it would be another spelling of the same content. */
function isZero(value: unknown): boolean {
  if (typeof value === "bigint") return value === 0n;
  if (typeof value === "boolean") return !value;
  if (typeof value === "string") return value === "";
  if (value instanceof Uint8Array) {
    return value.length === 0 || (value.length >= KEY_BYTES && value.every((byte) => byte === 0));
  }
  return value instanceof Map ? value.size === 0 : Array.isArray(value) && value.length === 0;
}

const isName = (name: unknown): boolean => typeof name === "string" && name !== "";

/** Whether a value is of the kinds that transactions hold, and holds nothing that has to be left out. */
function isValue(value: unknown, depth = 0): value is Value {
  if (depth > DEPTH_MAX) return false;
  if (typeof value === "bigint") return value >= 0n;
  if (typeof value === "boolean" || typeof value === "string" || value instanceof Uint8Array) return true;
  if (Array.isArray(value)) return value.every((one) => isValue(one, depth + 1));
  if (!(value instanceof Map)) return false;
  return [...value].every(([name, one]) => isName(name) && !isZero(one) && isValue(one, depth + 1));
}

/** The one canonical form that Algorand hashes and signs: shortest numbers and lengths, names in ascending order. */
export const encodeCanonical = (value: Value): Uint8Array => encode(value, { sortKeys: true, maxDepth: DEPTH_MAX + 2 });

function readMap(bytes: Uint8Array): unknown {
  try {
    // Nothing in it can be longer than itself, whatever it says: or a few bytes would ask for a list of billions.
    const longest = bytes.length;
    const limits = { maxStrLength: longest, maxBinLength: longest, maxArrayLength: longest, maxMapLength: longest };
    return decode(bytes, { intMode: IntMode.BIGINT, useMap: true, ...limits, maxExtLength: 0 });
  } catch (error) {
    // What the library throws for bytes that are no MessagePack, or end too soon.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/**
 * Reads a map in the canonical form. What was read is encoded again and must give the same bytes: so nothing that could
 * be written in two ways gets through, and the bytes that were read are those of the hash.
 * @returns null for everything else.
 */
export function parseMsgpackMap(bytes: Uint8Array): MsgpackMap | null {
  if (bytes.length === 0 || bytes.length > BYTES_MAX) return null;
  const value = readMap(bytes);
  if (!isMap(value) || !isValue(value)) return null;
  return Buffer.from(encodeCanonical(value)).equals(bytes) ? value : null;
}

/** The canonical bytes of a map without one of its entries. */
export const encodeWithout = (map: MsgpackMap, name: string): Uint8Array =>
  encodeCanonical(new Map([...map].filter(([key]) => key !== name)));
