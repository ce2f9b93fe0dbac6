import { expect, test } from "bun:test";
import { msgpackRawEncode } from "algosdk";
import { encodeWithout, isMap, parseMsgpackMap, type Value } from "./msgpack.ts";

const parse = (...bytes: readonly number[]) => parseMsgpackMap(Uint8Array.from(bytes));
const a = [0xa1, 0x61];
const b = [0xa1, 0x62];
/** A map of one name to lists inside lists, around a 1. */
const nested = (depth: number) => parse(0x81, ...a, ...Array<number>(depth).fill(0x91), 1);

/** What was read, as the official library takes it. */
function toPlain(value: Value): unknown {
  if (isMap(value)) return Object.fromEntries([...value].map(([name, entry]) => [name, toPlain(entry)]));
  return Array.isArray(value) ? value.map(toPlain) : value;
}

test("what the official library writes is read as what it was, every form of it", () => {
  const numbers = [1n, 0x7fn, 0x80n, 0xffn, 0x100n, 0xffffn, 0x1_0000n, 0xffff_ffffn, 0x1_0000_0000n, 2n ** 64n - 1n];
  const texts = ["x", "y".repeat(31), "y".repeat(32), "y".repeat(255), "y".repeat(256), "é"];
  const bytes = [1, 255, 256].map((length) => new Uint8Array(length).fill(7));
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${String.fromCharCode(97 + at)}`, 1n]));
  const whole = { bytes, inner: many, list: Array<bigint>(20).fill(3n), numbers, texts, yes: true };
  const encoded = msgpackRawEncode(whole);
  const read = parseMsgpackMap(encoded);
  expect(read && toPlain(read)).toEqual(whole);
  expect(Buffer.from(read ? encodeWithout(read, "nothing") : []).equals(encoded)).toBe(true);
  const { list: _, ...rest } = whole;
  expect(Buffer.from(read ? encodeWithout(read, "list") : []).equals(msgpackRawEncode(rest))).toBe(true);
});

test.each([
  ["names in the wrong order", [0x82, ...b, 1, ...a, 1]],
  ["a name twice", [0x82, ...a, 1, ...a, 1]],
  ["a name that is no text", [0x81, 1, 1]],
  ["an empty name", [0x81, 0xa0, 1]],
  ["zero", [0x81, ...a, 0]],
  ["false", [0x81, ...a, 0xc2]],
  ["an empty text", [0x81, ...a, 0xa0]],
  ["no bytes", [0x81, ...a, 0xc4, 0]],
  ["an empty list", [0x81, ...a, 0x90]],
  ["an empty map", [0x81, ...a, 0x80]],
  ["a key of zeros", [0x81, ...a, 0xc4, 32, ...Array<number>(32).fill(0)]],
  ["a number in a longer form", [0x81, ...a, 0xcd, 0, 0x80]],
  ["a length in a longer form", [0x81, ...a, 0xd9, 1, 0x61]],
  ["a negative number", [0x81, ...a, 0xff]],
  ["a fraction", [0x81, ...a, 0xcb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0]],
  ["nothing", []],
  ["a list instead of a map", [0x91, 1]],
  ["more after the end", [0x81, ...a, 1, 1]],
  ["less than it says", [0x82, ...a, 1]],
  ["a list of billions", [0x81, ...a, 0xdd, 0xff, 0xff, 0xff, 0xff]],
  ["a text that is no UTF-8", [0x81, ...a, 0xa1, 0xff]],
  ["an extension", [0x81, ...a, 0xd4, 1, 1]],
])("a map with %s is not canonical", (_, bytes) => {
  expect(parse(...bytes)).toBeNull();
});

test("nesting has an end", () => {
  expect(nested(7)).not.toBeNull();
  expect(nested(8)).toBeNull();
});
