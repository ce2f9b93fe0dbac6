import { expect, test } from "bun:test";
import type { IncomingPayment } from "../types.ts";
import { isSameBuyer, readBuyerNames } from "./buyer-names.ts";

const read = (key: string | null, identifier: string | null = null, payer = "0xpayer") =>
  readBuyerNames(new Headers(key === null ? {} : { "idempotency-key": key }), { identifier } as IncomingPayment, payer);

test("a key of 16 to 255 characters is a proof; a shorter one can be guessed, a longer or a blank one is none", () => {
  expect([15, 16, 255, 256].map((length) => read("k".repeat(length)).proof !== null)).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect([read(null).proof, read(" ".repeat(20)).proof]).toEqual([null, null]);
});

test("names are a payer's own: the same word of two payers is two names", () => {
  expect(read(null).identifier).toBeNull();
  expect(read(null, "order-1").identifier).toBe(read(null, "order-1").identifier);
  expect(read(null, "order-1").identifier).not.toBe(read(null, "order-1", "0xother").identifier);
  expect(read(null, "order-1").identifier).not.toContain("order");
});

test("one word that was known the first time is enough, in either place; none is no proof", () => {
  const [first, word] = [read("k".repeat(20), "order-1"), "k".repeat(20)];
  expect(isSameBuyer(first, read(word))).toBe(true);
  expect(isSameBuyer(first, read(null, "order-1"))).toBe(true);
  expect(isSameBuyer(first, read(null, word))).toBe(true);
  expect(isSameBuyer(first, read("x".repeat(20), "order-2"))).toBe(false);
  expect(isSameBuyer(first, read(null))).toBe(false);
  expect(isSameBuyer(read(null), read(null))).toBe(false);
});
