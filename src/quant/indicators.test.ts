import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import * as reference from "technicalindicators";
import { fc } from "../../test/helpers/properties.ts";
import { series1, series2, series3 } from "../../test/helpers/test-series.ts";
import {
  computeADX,
  computeATR,
  computeBollinger,
  computeEfficiencyRatio,
  computeEMA,
  computeLogReturns,
  computeMACD,
  computePriorExtremes,
  computeRSI,
  computeSMA,
} from "./indicators.ts";

const bars = series1();
const closes = bars.map(({ close }) => close);
const last = <T>(values: readonly T[]): T => values[values.length - 1] as T;

describe("the test series are the published ones", () => {
  test("series 1", () => {
    expect(closes.slice(0, 3)).toEqual([100, 100.7691, 101.5411]);
    expect(closes.slice(-2)).toEqual([141.6265, 141.82]);
    expect(last(bars)).toMatchObject({ high: 143.2382, low: 140.2102 });
  });

  test("series 2", () => {
    const all = series2().map(({ close }) => close);
    expect(all.slice(0, 4)).toEqual([100, 95.2022, 95.5415, 97.9542]);
    expect([all[259], all[459]]).toEqual([76.6547, 102.7646]);
    const text = all.map((close) => close.toFixed(4)).join(",");
    expect(createHash("sha256").update(text).digest("hex")).toBe(
      "5acb68633fae960b7de053ef8ec7a2bdb5a9177a60660a779e4280a03abc5050",
    );
  });

  test("series 3", () => {
    for (const [index, value] of [-0.0099989043, 0.0084152903, -0.0042152549].entries()) {
      expect(series3()[index]).toBeCloseTo(value, 10);
    }
  });
});

describe("the last bar of series 1 reads as published", () => {
  const published: readonly (readonly [name: string, value: number | null, expected: number])[] = [
    ["sma20", last(computeSMA(closes, 20)), 143.372745],
    ["sma50", last(computeSMA(closes, 50)), 152.909176],
    ["sma200", last(computeSMA(closes, 200)), 141.714363],
    ["ema12", last(computeEMA(closes, 12)), 142.453961],
    ["ema26", last(computeEMA(closes, 26)), 145.452915],
    ["rsi14", last(computeRSI(closes)), 11.890612],
    ["atr14", last(computeATR(bars)), 3.302699],
    ["adx14", last(computeADX(bars))?.adx ?? null, 79.625649],
    ["macd", last(computeMACD(closes))?.macd ?? null, -2.998954],
    ["signal", last(computeMACD(closes))?.signal ?? null, -3.394866],
    ["lower band", last(computeBollinger(closes))?.lower ?? null, 139.224042],
    ["middle band", last(computeBollinger(closes))?.middle ?? null, 143.372745],
    ["upper band", last(computeBollinger(closes))?.upper ?? null, 147.521448],
    ["er30", last(computeEfficiencyRatio(closes, 30)), 0.951001],
  ];
  test.each(published)("%s", (_name, value, expected) => {
    expect(value).not.toBeNull();
    expect(Math.abs(Number(value) - expected)).toBeLessThan(5e-7);
  });
});

/** Readings without the nulls at their beginning. */
const known = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null);
const near = (ours: readonly number[], theirs: readonly (number | undefined)[], tolerance = 1e-9) => {
  expect(ours.length).toBe(theirs.length);
  for (const [index, value] of ours.entries()) {
    expect(Math.abs(value - (theirs[index] ?? Number.NaN))).toBeLessThan(tolerance);
  }
};

describe.each([
  ["series 1", series1()],
  ["series 2", series2()],
])("every bar of %s reads as the technicalindicators package has it", (_name, all) => {
  const values = all.map(({ close }) => close);
  const [high, low, close] = [all.map((bar) => bar.high), all.map((bar) => bar.low), values];

  test("moving averages", () => {
    near(known(computeSMA(values, 20)), reference.SMA.calculate({ period: 20, values }));
    near(known(computeEMA(values, 26)), reference.EMA.calculate({ period: 26, values }));
  });
  test("RSI, to the two decimals it prints", () => {
    near(known(computeRSI(values)), reference.RSI.calculate({ period: 14, values }), 0.0051);
  });
  test("ATR", () => {
    near(known(computeATR(all)), reference.ATR.calculate({ period: 14, high, low, close }));
  });
  test("ADX", () => {
    const theirs = reference.ADX.calculate({ period: 14, high, low, close });
    const ours = known(computeADX(all)).filter(({ adx }) => adx !== null);
    near(
      ours.map(({ adx }) => adx ?? Number.NaN),
      theirs.map(({ adx }) => adx),
    );
    near(
      ours.map(({ plus_di }) => plus_di),
      theirs.map(({ pdi }) => pdi),
    );
    near(
      ours.map(({ minus_di }) => minus_di),
      theirs.map(({ mdi }) => mdi),
    );
  });
  test("MACD", () => {
    const theirs = reference.MACD.calculate({
      values,
      fastPeriod: 12,
      slowPeriod: 26,
      signalPeriod: 9,
      SimpleMAOscillator: false,
      SimpleMASignal: false,
    });
    const ours = known(computeMACD(values));
    near(
      ours.map(({ macd }) => macd),
      theirs.map(({ MACD }) => MACD ?? Number.NaN),
    );
    near(
      ours.flatMap(({ signal }) => (signal === null ? [] : [signal])),
      theirs.flatMap(({ signal }) => (signal === undefined ? [] : [signal])),
    );
  });
  test("Bollinger bands", () => {
    const theirs = reference.BollingerBands.calculate({ period: 20, stdDev: 2, values });
    const ours = known(computeBollinger(values));
    near(
      ours.flatMap(({ lower, middle, upper }) => [lower, middle, upper]),
      theirs.flatMap(({ lower, middle, upper }) => [lower, middle, upper]),
    );
  });
});

const flat = Array.from({ length: 60 }, () => ({ high: 10, low: 10, close: 10 }));
const flat_closes = flat.map(({ close }) => close);

describe("corner cases", () => {
  test("a constant series: RSI 50, ADX 0, efficiency 0, bands of no width, no range", () => {
    expect(last(computeRSI(flat_closes))).toBe(50);
    expect(last(computeADX(flat))).toEqual({ adx: 0, plus_di: 0, minus_di: 0 });
    expect(last(computeEfficiencyRatio(flat_closes, 30))).toBe(0);
    expect(last(computeBollinger(flat_closes))).toEqual({ lower: 10, middle: 10, upper: 10 });
    expect(last(computeATR(flat))).toBe(0);
  });
  test("only gains: RSI 100", () => {
    expect(last(computeRSI(Array.from({ length: 30 }, (_, index) => index + 1)))).toBe(100);
  });
  test("too few bars are null, never a shorter window", () => {
    const few = closes.slice(0, 13);
    expect(known(computeSMA(few, 14))).toEqual([]);
    expect(known(computeEMA(few, 14))).toEqual([]);
    expect(known(computeRSI(closes.slice(0, 14)))).toEqual([]);
    expect(known(computeRSI(closes.slice(0, 15)))).toHaveLength(1);
    expect(known(computeATR(bars.slice(0, 14)))).toEqual([]);
    expect(known(computeADX(bars.slice(0, 27))).every(({ adx }) => adx === null)).toBe(true);
    expect(known(computeADX(bars.slice(0, 28))).some(({ adx }) => adx !== null)).toBe(true);
    expect(known(computeMACD(closes.slice(0, 25)))).toEqual([]);
    expect(known(computePriorExtremes(bars.slice(0, 20), 20))).toEqual([]);
  });
  test("nothing in, nothing out", () => {
    for (const compute of [computeRSI, computeMACD, computeBollinger]) expect(compute([])).toEqual([]);
    expect(computeADX([])).toEqual([]);
    expect(computeLogReturns([])).toEqual([]);
  });
  test("a price of zero has no return", () => {
    expect(computeLogReturns([1, 0, 2])).toEqual([null, null]);
  });
  test("a window of no bars is a mistake", () => {
    for (const count of [0, -1, 1.5, Number.NaN]) expect(() => computeSMA(closes, count)).toThrow(RangeError);
  });
  test("prior extremes leave the current bar out", () => {
    const rising = [1, 2, 3, 9].map((value) => ({ high: value, low: -value }));
    expect(last(computePriorExtremes(rising, 3))).toEqual({ highest: 3, lowest: -3 });
  });
});

const prices = fc.array(fc.integer({ min: 100, max: 1_000_000 }), { minLength: 40, maxLength: 90 });
const asBars = (values: readonly number[]) =>
  values.map((close, index) => {
    const before = values[index - 1] ?? close;
    return { high: Math.max(close, before) * 1.01, low: Math.min(close, before) * 0.99, close };
  });
/** Everything that does not depend on the unit of the prices. */
const ratios = (values: readonly number[]) => [
  ...known(computeRSI(values)),
  ...known(computeEfficiencyRatio(values, 10)),
  ...known(computeADX(asBars(values))).flatMap(({ adx, plus_di, minus_di }) => [adx ?? 0, plus_di, minus_di]),
];
/** Everything that is a price. */
const levels = (values: readonly number[]) => [
  ...known(computeSMA(values, 10)),
  ...known(computeEMA(values, 10)),
  ...known(computeATR(asBars(values))),
  ...known(computeMACD(values)).map(({ macd }) => macd),
  ...known(computeBollinger(values)).flatMap(({ lower, upper }) => [lower, upper]),
];

describe("laws", () => {
  test("prices twice as high: ratios stay, levels double", () => {
    fc.assert(
      fc.property(prices, (values) => {
        const doubled = values.map((value) => value * 2);
        near(ratios(doubled), ratios(values), 1e-6);
        near(
          levels(doubled),
          levels(values).map((level) => level * 2),
          1e-4,
        );
      }),
    );
  });

  test("cutting off the future never changes the past", () => {
    fc.assert(
      fc.property(prices, fc.integer({ min: 20, max: 39 }), (values, end) => {
        const [whole, cut] = [asBars(values), asBars(values.slice(0, end))];
        expect(computeRSI(values).slice(0, end)).toEqual([...computeRSI(values.slice(0, end))]);
        expect(computeEMA(values, 10).slice(0, end)).toEqual([...computeEMA(values.slice(0, end), 10)]);
        expect(computeMACD(values).slice(0, end)).toEqual([...computeMACD(values.slice(0, end))]);
        expect(computeADX(whole).slice(0, end)).toEqual([...computeADX(cut)]);
        expect(computePriorExtremes(whole, 5).slice(0, end)).toEqual([...computePriorExtremes(cut, 5)]);
      }),
    );
  });

  test("RSI, ADX and the efficiency ratio stay within their bounds", () => {
    fc.assert(
      fc.property(prices, (values) => {
        for (const value of ratios(values)) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(100 + 1e-9);
        }
      }),
    );
  });
});
