import { describe, expect, test } from "bun:test";
import { computeEquity, countReturns, type GradedSignal, rateHits } from "./evidence.ts";

const DAY_MS = 86_400_000;
const signal = (day: number, net_bps: number, long_net_bps = net_bps): GradedSignal => ({
  seq: 1,
  symbol: "BTC",
  side: "long",
  horizon_h: 24,
  confidence: 50,
  exit_ms: day * DAY_MS + 3_600_000,
  net_bps,
  long_net_bps,
  hit: net_bps > 0,
});

describe("equity", () => {
  test("compounds the mean of each day's results, starting at 0 the day before", () => {
    // Day 10: the mean of 2 % and 0 % is 1 %; day 12: -1 %. 1.01 x 0.99 = 0.9999.
    const points = computeEquity([signal(10, 200), signal(10, 0), signal(12, -100, 300)]);
    expect(points.map(({ day_ms }) => day_ms / DAY_MS)).toEqual([9, 10, 12]);
    expect(points.map(({ signals_pct }) => Number(signals_pct.toFixed(6)))).toEqual([0, 1, -0.01]);
    expect(Number(points.at(-1)?.long_pct.toFixed(6))).toBe(4.03);
    expect(computeEquity([])).toEqual([]);
  });
});

describe("hit rates", () => {
  test("have Wilson's interval: 8 of 10 is 0.490 to 0.943", () => {
    // The published example of Brown, Cai, DasGupta's method section: also R's prop.test(8, 10, correct = FALSE).
    const { rate, low, high } = rateHits("x", [...Array(8).fill(signal(1, 10)), ...Array(2).fill(signal(1, -10))]);
    expect([rate, Number(low.toFixed(4)), Number(high.toFixed(4))]).toEqual([0.8, 0.4902, 0.9433]);
  });
});

test("results are counted by whole percent, and the outermost bins include everything beyond", () => {
  const bins = countReturns([signal(1, 50), signal(1, -50), signal(1, 9_000), signal(1, -9_000), signal(1, 100)]);
  expect(bins.filter(({ n }) => n > 0).map(({ from, n }) => [from, n])).toEqual([
    [-8, 1],
    [-1, 1],
    [0, 1],
    [1, 1],
    [7, 1],
  ]);
  expect(bins.reduce((sum, { n }) => sum + n, 0)).toBe(5);
});
