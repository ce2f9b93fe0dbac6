import { expect, test } from "bun:test";
import { getMomentum, getScore } from "./momentum.ts";

const _NOW_MS = Date.UTC(2026, 9, 1, 12, 34, 56);

test("the published vectors: momentum, score, and washed volume halved", () => {
  const flow = { buyers_h1: 180, buys_h1: 300, sells_h1: 190, volume_h1_usd: 52_000, liquidity_usd: 64_000 };
  const { momentum } = getMomentum(flow);
  expect(momentum).toBeCloseTo(64.56, 2);
  expect(getScore(22.4, momentum)).toBeCloseTo(71.08, 2);
  const washed = { buyers_h1: 30, buys_h1: 900, sells_h1: 880, volume_h1_usd: 900_000, liquidity_usd: 60_000 };
  expect(getMomentum(washed).momentum).toBeCloseTo(26.22, 2);
});
