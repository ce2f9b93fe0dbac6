/** What Algorand transactions are made of. Numbers are never negative. */
export type Value = bigint | boolean | string | Uint8Array | readonly Value[] | MsgpackMap;

/** Entries by name, in the order they are written. */
export type MsgpackMap = ReadonlyMap<string, Entry>;

export interface Entry {
  readonly value: Value;
  /** Name and value as they were read. */
  readonly bytes: Uint8Array;
  /** The value alone. */
  readonly value_bytes: Uint8Array;
}

const DEPTH_MAX = 8;
const KEY_BYTES = 32;

class NotCanonical extends Error {
  override readonly name = "NotCanonical";
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

export const isMap = (value: Value | undefined): value is MsgpackMap => value instanceof Map;

/** What Algorand leaves out of a map: an entry of it would be another spelling of the same content. */
const isZero = (value: Value): boolean => {
  if (typeof value === "bigint") return value === 0n;
  if (typeof value === "boolean") return !value;
  if (typeof value === "string") return value === "";
  if (value instanceof Uint8Array) {
    return value.length === 0 || (value.length >= KEY_BYTES && value.every((byte) => byte === 0));
  }
  return value instanceof Map ? value.size === 0 : Array.isArray(value) && value.length === 0;
};

/** Reads one value after the other; every read is inside the bytes. */
function createCursor(bytes: Uint8Array) {
  let at = 0;
  const take = (count: number): Uint8Array => {
    const taken = bytes.subarray(at, at + count);
    if (taken.length !== count) throw new NotCanonical("cut off");
    at += count;
    return taken;
  };
  /** Big-endian number that needs all of its bytes: a smaller one has a shorter form. */
  const number = (count: number, least: bigint): bigint => {
    const value = take(count).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    if (value < least) throw new NotCanonical("a number in a longer form than it needs");
    return value;
  };
  const length = (count: number, least: number): number => {
    const value = take(count).reduce((sum, byte) => sum * 256 + byte, 0);
    if (value < least) throw new NotCanonical("a length in a longer form than it needs");
    return value;
  };
  return {
    bytes,
    get at() {
      return at;
    },
    take,
    number,
    length,
  };
}
type Cursor = ReturnType<typeof createCursor>;

function readArray(cursor: Cursor, length: number, depth: number): readonly Value[] {
  const values: Value[] = [];
  for (let index = 0; index < length; index++) values.push(readValue(cursor, depth + 1));
  return values;
}

function readMap(cursor: Cursor, length: number, depth: number): MsgpackMap {
  const entries = new Map<string, Entry>();
  let last = "";
  for (let index = 0; index < length; index++) {
    const start = cursor.at;
    const name = readValue(cursor, DEPTH_MAX);
    if (typeof name !== "string" || name <= last) throw new NotCanonical("names must be texts in ascending order");
    last = name;
    const value_start = cursor.at;
    const value = readValue(cursor, depth + 1);
    if (isZero(value)) throw new NotCanonical("an entry that has to be left out");
    const bytes = cursor.bytes.subarray(start, cursor.at);
    entries.set(name, { value, bytes, value_bytes: cursor.bytes.subarray(value_start, cursor.at) });
  }
  return entries;
}

function readValue(cursor: Cursor, depth: number): Value {
  if (depth > DEPTH_MAX) throw new NotCanonical("too deep");
  const tag = cursor.take(1)[0] ?? 0;
  if (tag <= 0x7f) return BigInt(tag);
  if (tag <= 0x8f) return readMap(cursor, tag & 0x0f, depth);
  if (tag <= 0x9f) return readArray(cursor, tag & 0x0f, depth);
  if (tag <= 0xbf) return utf8.decode(cursor.take(tag & 0x1f));
  switch (tag) {
    case 0xc2:
      return false;
    case 0xc3:
      return true;
    case 0xc4:
      return cursor.take(cursor.length(1, 0));
    case 0xc5:
      return cursor.take(cursor.length(2, 0x100));
    case 0xcc:
      return cursor.number(1, 0x80n);
    case 0xcd:
      return cursor.number(2, 0x100n);
    case 0xce:
      return cursor.number(4, 0x1_0000n);
    case 0xcf:
      return cursor.number(8, 0x1_0000_0000n);
    case 0xd9:
      return utf8.decode(cursor.take(cursor.length(1, 0x20)));
    case 0xda:
      return utf8.decode(cursor.take(cursor.length(2, 0x100)));
    case 0xdc:
      return readArray(cursor, cursor.length(2, 0x10), depth);
    case 0xde:
      return readMap(cursor, cursor.length(2, 0x10), depth);
    default:
      throw new NotCanonical("not a kind of value that transactions hold");
  }
}

/**
 * Reads a map in the one canonical form that Algorand hashes and signs: shortest numbers and lengths, names in
 * ascending order, nothing that is zero, nothing after the end. So the bytes that were read are those of the hash.
 * @returns null for everything else.
 */
export function parseMsgpackMap(bytes: Uint8Array): MsgpackMap | null {
  const cursor = createCursor(bytes);
  try {
    const value = readValue(cursor, 0);
    return isMap(value) && cursor.at === bytes.length ? value : null;
  } catch (error) {
    // TypeError: a text that is no UTF-8.
    if (error instanceof NotCanonical || error instanceof TypeError) return null;
    throw error;
  }
}

/** The canonical bytes of a map without one of its entries. */
export function encodeWithout(map: MsgpackMap, name: string): Uint8Array {
  const entries = [...map].filter(([key]) => key !== name).map(([, { bytes }]) => bytes);
  const head =
    entries.length < 16 ? [0x80 | entries.length] : [0xde, (entries.length >> 8) & 0xff, entries.length & 0xff];
  return Buffer.concat([Uint8Array.from(head), ...entries]);
}
