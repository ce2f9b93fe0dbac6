import { describe, expect, test } from "bun:test";
import { fc } from "../../../../test/helpers/properties.ts";
import { createPublishedLedger } from "../../../../test/helpers/signal-ledger.ts";
import {
  computeDaily,
  computePerformance,
  dropOverlapping,
  type Graded,
  getCalibrated,
  toGraded,
} from "./performance.ts";
import { readSignal } from "./signal-records.ts";

const HOUR_MS = 3_600_000;
const grade = (net_bps: number, more: Partial<Graded> = {}): Graded => ({
  symbol: "BTC",
  side: "long",
  confidence: 40,
  emitted_at_ms: 0,
  exit_at_ms: 0,
  net_bps,
  hit: net_bps > 0,
  long_hit: net_bps > 0,
  ...more,
});

const published = async (): Promise<Graded[]> =>
  (await (await createPublishedLedger({ scored: true })).read("signals"))
    .map(readSignal)
    .flatMap((one) => toGraded(one) ?? []);

describe("performance", () => {
  test("gives the published figures", async () => {
    const figures = computePerformance(await published());
    expect(figures).toMatchObject({ n_scored: 3, wins: 2, always_long_hits: 3, median_net_bps: 128.4 });
    expect(figures.win_rate).toBeCloseTo(0.6667, 4);
    expect(figures.win_rate_lo95).toBeCloseTo(0.2077, 4);
    expect(figures.win_rate_hi95).toBeCloseTo(0.9385, 4);
    expect(figures.avg_net_bps).toBeCloseTo(46.1333, 4);
    expect(figures.sum_net_bps).toBeCloseTo(138.4, 9);
    expect(figures.profit_factor).toBeCloseTo(308.4 / 170, 9);
    expect(figures.p_value_vs_half).toBeCloseTo(0.5, 12);
    const brier = ((0.665 - 1) ** 2 + 0.63 ** 2 + (0.71 - 1) ** 2) / 3;
    expect(figures.brier).toBeCloseTo(brier, 12);
  });

  test("without signals there are no figures, and without a loss no profit factor", () => {
    expect(computePerformance([])).toMatchObject({ n_scored: 0, win_rate: null, p_value_vs_half: null, brier: null });
    expect(computePerformance([grade(10)]).profit_factor).toBeNull();
    expect(computePerformance([grade(-10)]).profit_factor).toBe(0);
  });

  test("the binomial test agrees with the sum of the distribution's terms", () => {
    for (const [n, wins] of [
      [1, 0],
      [10, 7],
      [45, 27],
      [200, 120],
    ] as const) {
      let [term, sum] = [0.5 ** n, 0];
      for (let k = 0; k <= n; k += 1) {
        if (k >= wins) sum += term;
        term *= (n - k) / (k + 1);
      }
      const graded = Array.from({ length: n }, (_, index) => grade(index < wins ? 5 : -5));
      expect(computePerformance(graded).p_value_vs_half).toBeCloseTo(sum, 10);
    }
  });

  test("does not depend on the order of the signals", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 1, maxLength: 40 }), (nets) => {
        const [a, b] = [
          computePerformance(nets.map((net) => grade(net))),
          computePerformance(nets.toReversed().map((net) => grade(net))),
        ];
        for (const name of ["sum_net_bps", "avg_net_bps", "median_net_bps", "wins"] as const) {
          expect(b[name]).toBeCloseTo(a[name] ?? Number.NaN, 9);
        }
      }),
    );
  });
});

describe("the days' portfolio", () => {
  test("splits itself evenly over the signals that end on a day", () => {
    const day = (n: number) => ({ exit_at_ms: n * 24 * HOUR_MS });
    const daily = computeDaily([grade(100, day(1)), grade(-300, day(1)), grade(200, day(2)), grade(50, day(4))]);
    const returns = [-0.01, 0.02, 0.005];
    const average = 0.005;
    const sigma = Math.sqrt(returns.reduce((sum, one) => sum + (one - average) ** 2, 0) / 2);
    expect(daily.days).toBe(3);
    expect(daily.sharpe).toBeCloseTo((average / sigma) * Math.sqrt(365), 9);
    expect(daily.max_drawdown_pct).toBeCloseTo(-1, 9);
  });

  test("has no ratio of one day, or of days that are all equal", () => {
    expect(computeDaily([])).toEqual({ days: 0, sharpe: null, max_drawdown_pct: null });
    expect(computeDaily([grade(100)]).sharpe).toBeNull();
    const alike = [1, 2, 3].map((n) => grade(100, { exit_at_ms: n * 24 * HOUR_MS }));
    expect(computeDaily(alike)).toMatchObject({ sharpe: null, max_drawdown_pct: 0 });
  });
});

test("signals that overlap one already counted are left out, coin by coin", () => {
  // Written some minutes after the hour, entered at the next one, out a day later.
  const at = (hours: number, symbol = "BTC") =>
    grade(1, { emitted_at_ms: hours * HOUR_MS, exit_at_ms: (Math.floor(hours) + 25) * HOUR_MS, symbol });
  const kept = dropOverlapping([at(0), at(12), at(12, "ETH"), at(24), at(47.9), at(48)], 24);
  expect(kept.map(({ emitted_at_ms, symbol }) => [symbol, emitted_at_ms / HOUR_MS])).toEqual([
    ["BTC", 0],
    ["ETH", 12],
    ["BTC", 24],
    ["BTC", 48],
  ]);
});

test("signals a day apart do not overlap because one was written some seconds sooner after its hour", () => {
  const at = (hours: number, seconds: number) => ({
    ...grade(1, { emitted_at_ms: hours * HOUR_MS + seconds * 1_000, exit_at_ms: (hours + 25) * HOUR_MS }),
  });
  const signals = [at(0, 140), at(24, 125), at(48, 121)];
  expect(dropOverlapping(signals, 24)).toEqual(signals);
});

test("a model without a record has a chance of one half", () => {
  expect(getCalibrated(0, 0)).toBe(0.5);
  expect(getCalibrated(27, 45)).toBeCloseTo(0.5692, 4);
});
