import { describe, expect, test } from "bun:test";
import { createApiKeys } from "./api-key.ts";
import { assertKeyBytes, isBlank, isSameSecret, isTokenForm, readSecret, readSecretVariable } from "./secrets.ts";

/** Texts without a secret in them, as files, headers and variables hold them. */
const EMPTY: readonly (readonly [string, string])[] = [
  ["nothing", ""],
  ["blanks", "  \t "],
  ["line ends", "\r\n\n"],
  ["a byte order mark", "\ufeff"],
  ["a byte order mark and a line end", "\ufeff\r\n"],
  ["NUL bytes", "\0\0\0\0"],
  ["UTF-16 read as UTF-8", "\ufffd\ufffd\r\0\n\0"],
  ["invisible characters", "\u200b\u2060\u00ad\u3164\u2800\u202e\u{e0041}"],
];

test.each(EMPTY)("%s is no secret, and equal to none", (_, text) => {
  expect(isBlank(text)).toBe(true);
  expect(readSecret(text)).toBeNull();
  expect(readSecretVariable("KEY", { KEY: text })).toBeNull();
  expect(isTokenForm(text)).toBe(false);
  for (const [, other] of EMPTY) expect(isSameSecret(text, other)).toBe(false);
});

test("what is not there is no secret, and equal to none", () => {
  expect(readSecret(null)).toBeNull();
  expect(readSecret(undefined)).toBeNull();
  expect(readSecretVariable(undefined, {})).toBeNull();
  expect(readSecretVariable("KEY", {})).toBeNull();
  expect(isSameSecret(undefined, undefined)).toBe(false);
  expect(isSameSecret(null, "")).toBe(false);
});

test("a secret is taken whole, without what surrounds it", () => {
  expect(readSecret("\ufeffabc def\u0000\r\n")).toBe("abc def");
  expect(readSecret("pässwörd 🔑\n")).toBe("pässwörd 🔑");
  expect(readSecretVariable("KEY", { KEY: " 0x12\n" })).toBe("0x12");
});

test("only the secret itself is equal to it, whatever its length", () => {
  expect(isSameSecret("abc", "abc")).toBe(true);
  for (const other of ["", "a", "ab", "abcd", "abd", "ABC", "abc ", "abc".repeat(10_000)]) {
    expect(isSameSecret(other, "abc")).toBe(false);
    expect(isSameSecret("abc", other)).toBe(false);
  }
});

test("a token has at least 32 characters that can be sent", () => {
  expect(isTokenForm("a".repeat(31))).toBe(false);
  expect(isTokenForm("a".repeat(32))).toBe(true);
  expect(isTokenForm(`${"Ab0-_".repeat(8)}==`)).toBe(true);
  for (const long of ["a".repeat(201), `${"a".repeat(200)}=`]) expect(isTokenForm(long)).toBe(false);
  for (const odd of [" ", "\0", "\n", "ä", '"', "\u200b"]) {
    expect(isTokenForm(`${"a".repeat(20)}${odd}${"a".repeat(20)}`)).toBe(false);
  }
});

describe("a key that is too short signs nothing", () => {
  test("an empty one", () => {
    expect(() => assertKeyBytes(new Uint8Array(0), "coupons")).toThrow("the key of coupons has 0 bytes");
    expect(() => createApiKeys(new Uint8Array(0))).toThrow(RangeError);
  });
  test("an empty one among the earlier", () => {
    expect(() => createApiKeys(new Uint8Array(32), [new Uint8Array(0)])).toThrow(RangeError);
  });
});
