import { expect, test } from "bun:test";
import type { DexPair } from "../../../upstream/providers/dexscreener/pairs.ts";
import { aggregate } from "../markets/markets.ts";

const _NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

test("two pools at 1.00 and 1.02 cost 1.005 and differ by 2 %", () => {
  const pool = (price_usd: number, liquidity_usd: number) => ({ price_usd, liquidity_usd }) as DexPair;
  const found = aggregate([pool(1, 300_000), pool(1.02, 100_000)]);
  expect(found.price_usd).toBeCloseTo(1.005, 12);
  expect(found.dispersion_pct).toBeCloseTo(2, 9);
  expect(aggregate([pool(1, 300_000), pool(9, 900)]).dispersion_pct).toBeNull();
});
