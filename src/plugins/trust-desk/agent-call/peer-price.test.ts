import { expect, test } from "bun:test";
import { readPeerPrice, takesTooMuch } from "./peer-price.ts";

const BASE_USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
type PassedOn = NonNullable<Parameters<typeof readPeerPrice>[0]["passed_on"]>;
const paid = (more: Partial<PassedOn> = {}, receipt: object | null = null) => ({
  passed_on: {
    origin: "https://peer.example.com",
    network: "eip155:8453",
    asset: BASE_USDC,
    pay_to: "0xpeer",
    scheme: "exact",
    amount_atomic: "10000",
    at: "2026-01-01T00:00:00.000Z",
    ...more,
  },
  receipt: receipt === null ? null : JSON.stringify(receipt),
});

test("a peer's price is what was paid in USDC, in whatever case its address is written", () => {
  expect(readPeerPrice(paid())).toBe(10_000n);
  expect(readPeerPrice(paid({ asset: BASE_USDC.toLowerCase() }))).toBe(10_000n);
});

test("it is unknown where nothing was paid, in another asset, or an invalid amount", () => {
  expect(readPeerPrice({ passed_on: null, receipt: null })).toBeNull();
  expect(readPeerPrice(paid({ asset: "0x0000000000000000000000000000000000000001" }))).toBeNull();
  expect(readPeerPrice(paid({ network: "eip155:1" }))).toBeNull();
  for (const amount_atomic of ["-5", "1e9", "0x10", ""]) expect(readPeerPrice(paid({ amount_atomic }))).toBeNull();
});

test("of a payment over the most it is the charge the peer names, of a channel's what the call cost", () => {
  expect(readPeerPrice(paid({ scheme: "upto" }, { success: true, amount: "2500" }))).toBe(2_500n);
  const voucher = { success: true, amount: "500000", extra: { chargedAmount: "700" } };
  expect(readPeerPrice(paid({ scheme: "batch-settlement", amount_atomic: "500000" }, voucher))).toBe(700n);
});

test("it is what was signed where the peer names nothing readable, no success, or more than that", () => {
  for (const receipt of [
    null,
    { success: false, amount: "1" },
    { amount: "1" },
    { success: true },
    { success: true, amount: 1 },
    { success: true, amount: "1.5" },
    { success: true, amount: "10001" },
  ]) {
    expect(readPeerPrice(paid({ scheme: "upto" }, receipt))).toBe(10_000n);
  }
  // By exact all of it was signed away: a receipt that names less changes nothing.
  expect(readPeerPrice(paid({}, { success: true, amount: "1" }))).toBe(10_000n);
});

test("a charge above what was signed is told", () => {
  expect(takesTooMuch(paid({ scheme: "upto" }, { success: true, amount: "10001" }))).toBe(true);
  expect(takesTooMuch(paid({ scheme: "upto" }, { success: true, amount: "10000" }))).toBe(false);
  expect(takesTooMuch(paid({}, { success: true, amount: "10001" }))).toBe(false);
});
