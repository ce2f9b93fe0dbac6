import { expect, test } from "bun:test";
import { readPeerPrice } from "./peer-price.ts";

const BASE_USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const paid = (more: Partial<NonNullable<Parameters<typeof readPeerPrice>[0]>> = {}) => ({
  origin: "https://peer.example.com",
  network: "eip155:8453",
  asset: BASE_USDC,
  pay_to: "0xpeer",
  amount_atomic: "10000",
  at: "2026-01-01T00:00:00.000Z",
  ...more,
});

test("a peer's price is what was paid in USDC, in whatever case its address is written", () => {
  expect(readPeerPrice(paid())).toBe(10_000n);
  expect(readPeerPrice(paid({ asset: BASE_USDC.toLowerCase() }))).toBe(10_000n);
});

test("it is unknown where nothing was paid, in another asset, or an invalid amount", () => {
  expect(readPeerPrice(null)).toBeNull();
  expect(readPeerPrice(paid({ asset: "0x0000000000000000000000000000000000000001" }))).toBeNull();
  expect(readPeerPrice(paid({ network: "eip155:1" }))).toBeNull();
  for (const amount_atomic of ["-5", "1e9", "0x10", ""]) expect(readPeerPrice(paid({ amount_atomic }))).toBeNull();
});
