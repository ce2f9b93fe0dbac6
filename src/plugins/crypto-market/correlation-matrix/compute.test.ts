import { describe, expect, test } from "bun:test";
import { linearRegression, sampleCorrelation } from "simple-statistics";
import { asSold } from "../../../../test/helpers/settled.ts";
import { parkMiller } from "../../../../test/helpers/test-series.ts";
import { NodeError } from "../../../core/errors.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import type { BarSeries } from "../../../upstream/series/bar-series.ts";
import { UNIVERSE_10 } from "../universe/universe.ts";
import { computeCorrelations as draft, redactCorrelations, rewindCorrelations } from "./compute.ts";
import { CorrelationSchema } from "./schema.ts";

const computeCorrelations = asSold(CorrelationSchema, draft);

const END_MS = Date.UTC(2026, 8, 30);
const DAYS = 182;

function createSeries(symbol: string, returns: readonly number[]): BarSeries {
  let close = 100;
  const bars = [0, ...returns].map((value, index) => {
    close *= Math.exp(value);
    const t_ms = END_MS - (returns.length - index) * DAY_MS;
    return { t_ms, open: close, high: close, low: close, close, volume: 1 };
  });
  return { symbol, interval: "1d", provider: "kraken", fetched_at_ms: END_MS + DAY_MS, bars };
}

/** Returns per coin with a part in common. */
function createReturns(seed = 11): number[][] {
  const next = parkMiller(seed);
  const common = Array.from({ length: DAYS - 1 }, () => 0.05 * (next() - 0.5));
  return UNIVERSE_10.map((_, index) => common.map((one) => (1 + index / 10) * one + 0.03 * (next() - 0.5)));
}

const returns = createReturns();
const series = UNIVERSE_10.map((symbol, index) => createSeries(symbol, returns[index] ?? []));
const { data, as_of_ms, warnings } = computeCorrelations({ series, missing: [], macro: [] });
const last = (index: number, count: number, end = 0) =>
  (returns[index] ?? []).slice(-count - end, end === 0 ? undefined : -end);

describe("the windows", () => {
  test("hold the last 30 and 90 daily log returns", () => {
    expect(as_of_ms).toBe(END_MS + DAY_MS);
    expect(warnings).toEqual([]);
    for (const window of data.windows) {
      for (const [i, j] of [
        [0, 1],
        [3, 8],
        [9, 2],
      ] as const) {
        const expected = sampleCorrelation(last(i, window.days), last(j, window.days));
        expect(window.pearson?.[i]?.[j]).toBeCloseTo(expected, 3);
      }
      expect(window.n).toBe(window.days);
    }
  });

  test("the change is against the 90 days before the last 30", () => {
    const now = sampleCorrelation(last(1, 30), last(4, 30));
    const before = sampleCorrelation(last(1, 90, 30), last(4, 90, 30));
    expect(data.change?.[1]?.[4]).toBeCloseTo(now - before, 3);
    expect(data.change?.[5]?.[5]).toBe(0);
  });

  test("betas are slopes over Bitcoin in 90 days", () => {
    const [x, y] = [last(0, 90), last(6, 90)];
    const slope = linearRegression(x.map((value, index) => [value, y[index] ?? 0])).m;
    expect(data.beta_to_btc?.DOGE).toBeCloseTo(slope, 3);
  });

  test("extremes are the ends of the 30-day window", () => {
    const all = data.windows[0]?.pearson?.flatMap((row, i) => row.slice(i + 1)) ?? [];
    const sorted = all.map(Number).sort((a, b) => b - a);
    expect(data.extremes?.highest.map(({ pearson }) => pearson)).toEqual(sorted.slice(0, 3));
    expect(data.extremes?.lowest.map(({ pearson }) => pearson)).toEqual(sorted.slice(-3).reverse());
  });
});

describe("laws", () => {
  test("prices in another unit give the same answer", () => {
    const scaled = series.map((one, index) => ({
      ...one,
      bars: one.bars.map((bar) => ({ ...bar, close: bar.close * (index + 2) })),
    }));
    expect(computeCorrelations({ series: scaled, missing: [], macro: [] }).data).toEqual(data);
  });

  test("what comes after the last day changes nothing: the past is what it was", () => {
    const rewound = computeCorrelations(rewindCorrelations({ series, missing: [], macro: [] }));
    const other = createReturns(12);
    const rewritten = series.map((one, index) => {
      const bar = one.bars.at(-1);
      return bar
        ? { ...one, bars: [...one.bars.slice(0, -1), { ...bar, close: bar.close * (1 + (other[index]?.[0] ?? 0)) }] }
        : one;
    });
    expect(computeCorrelations(rewindCorrelations({ series: rewritten, missing: [], macro: [] }))).toEqual(rewound);
    expect(rewound.as_of_ms).toBe(END_MS);
  });

  test("closes older than the windows change nothing", () => {
    const changed = series.map((one) => ({
      ...one,
      bars: one.bars.map((bar, index) => (index < 30 ? { ...bar, close: bar.close * (1 + index) } : bar)),
    }));
    expect(computeCorrelations({ series: changed, missing: [], macro: [] }).data).toEqual(data);
  });
});

describe("degraded", () => {
  test("a coin that lacks many days is dropped, one that lacks few costs the others those days", () => {
    const gappy = series.map((one) => {
      if (one.symbol === "ADA") return { ...one, bars: one.bars.filter((_, index) => index % 10 !== 0) };
      return one.symbol === "LTC" ? { ...one, bars: one.bars.filter(({ t_ms }) => t_ms !== END_MS - 5 * DAY_MS) } : one;
    });
    const result = computeCorrelations({ series: gappy, missing: [{ symbol: "XRP", why: "unread" }], macro: [] });
    expect(result.data.symbols).not.toContain("ADA");
    expect(result.data.windows.map(({ n }) => n)).toEqual([28, 88]);
    expect(result.warnings).toEqual([
      "symbols: daily bars of XRP could not be read",
      "symbols: ADA is left out, it lacks more than 5 % of the days",
      "windows: 2 of 30 days are left out, a coin lacks them",
      "windows: 2 of 90 days are left out, a coin lacks them",
    ]);
  });

  test("a constant price has null in its rows, with a warning", () => {
    const still = series.map((one) =>
      one.symbol === "BNB" ? { ...one, bars: one.bars.map((bar) => ({ ...bar, close: 600 })) } : one,
    );
    const result = computeCorrelations({ series: still, missing: [], macro: [] });
    expect(result.data.windows[0]?.pearson?.[3]).toEqual(new Array(10).fill(null));
    expect(result.data.windows[0]?.shrunk?.[0]?.[3]).toBeNull();
    expect(result.data.beta_to_btc?.BNB).toBe(0);
    expect(result.warnings).toHaveLength(2);
    expect(result.warnings[0]).toMatch(/^windows \(\d+ figures\): BNB did not move$/);
    expect(result.warnings[1]).toMatch(/^change\[\]\[\] \(19 of them\): a coin of the pair did not move/);
    expect(JSON.stringify(result.data)).not.toContain("NaN");
  });

  test("without Bitcoin there is no beta", () => {
    const result = computeCorrelations({
      series: series.slice(1),
      missing: [{ symbol: "BTC", why: "absent" }],
      macro: [],
    });
    expect(result.data.beta_to_btc).toBeNull();
    expect(result.warnings).toContain("beta_to_btc: needs complete daily bars of Bitcoin");
    expect(redactCorrelations(result.data).symbols).toEqual(["ETH", "SOL", "BNB"]);
  });

  test("three coins, none, or too few common days are refused", () => {
    const gaps = (remainder: number) => (one: BarSeries) => ({
      ...one,
      bars: one.bars.filter((_, index) => index < 140 || (index + remainder) % 6 !== 0),
    });
    const apart = series.map((one, index) => gaps(2 * index)(one));
    for (const broken of [series.slice(0, 3), [], apart]) {
      expect(() => computeCorrelations({ series: broken, missing: [], macro: [] })).toThrow(NodeError);
    }
  });
});

test("significant pairs hold after Holm's adjustment, strongest first", () => {
  const pairs = data.windows[1]?.significant_pairs ?? [];
  expect(pairs.length).toBeGreaterThan(0);
  for (const { p_holm } of pairs) expect(p_holm).toBeLessThanOrEqual(0.05);
  const sizes = pairs.map(({ pearson }) => Math.abs(pearson));
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
});
