import { describe, expect, test } from "bun:test";
import type { Graded } from "../signals/performance.ts";
import { computeBucket, computeRisk } from "./compute.ts";

const graded = (n: number, wins: number, confidence = 42): Graded[] =>
  Array.from({ length: n }, (_, index) => ({
    symbol: "BTC",
    side: "long",
    confidence,
    emitted_at_ms: index,
    exit_at_ms: index,
    net_bps: index < wins ? 50 : -50,
    hit: index < wins,
    long_hit: true,
  }));

describe("distances", () => {
  test("a short signal's stop is above and its target below, and the size is capped", () => {
    expect(computeRisk({ side: "short", price: 100, atr: 2 })).toEqual({
      stop: 103,
      target: 94,
      size_frac: expect.closeTo(0.3333, 4),
    });
    expect(computeRisk({ side: "long", price: 100, atr: 0.1 })).toMatchObject({ size_frac: 1 });
    expect(computeRisk({ side: "short", price: 100, atr: 40 })).toBeNull();
    expect(computeRisk({ side: "long", price: 100, atr: 0 })).toBeNull();
  });
});

describe("classes of confidence", () => {
  test("give the published figures", () => {
    expect(computeBucket(42, [])).toMatchObject({ label: "40-59", n: 0, win_rate: null, p_calibrated: 0.5 });
    expect(computeBucket(42, graded(45, 27))).toMatchObject({
      n: 45,
      win_rate: 0.6,
      lo95: expect.closeTo(0.4545, 4),
      hi95: expect.closeTo(0.7298, 4),
      p_calibrated: expect.closeTo(0.5692, 4),
      warning: "not_told_apart_from_a_coin",
    });
  });

  test("count their own class only", () => {
    const all = [...graded(10, 5, 39), ...graded(10, 10, 40), ...graded(10, 0, 59), ...graded(10, 0, 60)];
    expect(computeBucket(50, all)).toMatchObject({ n: 20, win_rate: 0.5 });
    expect(computeBucket(100, all)).toMatchObject({ label: "80-100", n: 0 });
  });
});
