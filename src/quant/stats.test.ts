import { describe, expect, test } from "bun:test";
import { SMA } from "technicalindicators";
import { fc } from "../../test/helpers/properties.ts";
import { getMovingAverage, getPercentileRank, getRealisedVolatility, getTrailing, mad, median } from "./stats.ts";

/** C_t = round4(100 exp(0.001 t + 0.10 sin(t / 15))): a published series to check indicators with. */
const S1 = Array.from({ length: 450 }, (_, t) =>
  Number((100 * Math.exp(0.001 * t + 0.1 * Math.sin(t / 15))).toFixed(4)),
);

test("the test series is the published one", () => {
  expect(S1.slice(0, 3)).toEqual([100, 100.7691, 101.5411]);
  expect(S1.slice(-2)).toEqual([141.6265, 141.82]);
});

describe("median and mad", () => {
  test("an even number of values gives the mean of the middle two", () => {
    expect(median([9, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 9])).toBe(3.5);
    // Deviations from 2: 1 1 0 0 2 4 7; the middle one is 1.
    expect(mad([1, 1, 2, 2, 4, 6, 9])).toBe(1);
  });

  test("the order of the caller's values is left alone", () => {
    const values = Object.freeze([3, 1, 2]);
    expect([median(values), mad(values)]).toEqual([2, 1]);
    expect(values).toEqual([3, 1, 2]);
  });

  test("nothing gives null, not 0", () => {
    expect([median([]), mad([]), getPercentileRank([], 1)]).toEqual([null, null, null]);
  });
});

describe("percentile rank", () => {
  test("equal values count half", () => {
    expect(getPercentileRank([1, 2, 3, 4], 4)).toBe(87.5);
    expect(getPercentileRank([1, 2, 2, 3], 2)).toBe(50);
    expect(getPercentileRank([5, 5, 5], 5)).toBe(50);
  });

  test("lies within 0 and 100 and rises with the value", () => {
    const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(values, fc.integer({ min: -60, max: 60 }), fc.nat({ max: 60 }), (history, value, step) => {
        const low = getPercentileRank(history, value) ?? Number.NaN;
        const high = getPercentileRank(history, value + step) ?? Number.NaN;
        return low >= 0 && high <= 100 && low <= high;
      }),
    );
  });
});

describe("moving average", () => {
  test("gives the published vector", () => {
    expect(getMovingAverage(S1, 20)).toBeCloseTo(143.372745, 6);
    expect(getMovingAverage(S1, 50)).toBeCloseTo(152.909176, 6);
    expect(getMovingAverage(S1, 200)).toBeCloseTo(141.714363, 6);
  });

  test("agrees with an independent library at every bar", () => {
    const expected = SMA.calculate({ period: 20, values: S1 });
    for (const [index, value] of expected.entries()) {
      expect(getMovingAverage(S1.slice(0, index + 20), 20) ?? Number.NaN).toBeCloseTo(value, 9);
    }
  });

  test("fewer closes than asked for give null, never a shorter window", () => {
    expect(getMovingAverage(S1.slice(0, 19), 20)).toBeNull();
    expect(getMovingAverage([], 0)).toBeNull();
  });
});

describe("realised volatility", () => {
  test("gives the published vector, and its rank among the last 365", () => {
    expect(getRealisedVolatility(S1, 30)).toBeCloseTo(0.043759, 6);
    const history = getTrailing(S1, 365, (until) => getRealisedVolatility(until, 30)) ?? [];
    expect(getPercentileRank(history, getRealisedVolatility(S1, 30) ?? Number.NaN)).toBeCloseTo(43.4247, 4);
  });

  test("a constant series has none", () => {
    expect(getRealisedVolatility(Array(31).fill(7), 30)).toBe(0);
  });

  test("too few closes, or an invalid price, give null", () => {
    expect(getRealisedVolatility(S1.slice(0, 30), 30)).toBeNull();
    expect(getRealisedVolatility([1, 0, 1], 2)).toBeNull();
    expect(getRealisedVolatility([1, Number.NaN, 1], 2)).toBeNull();
    expect(getRealisedVolatility([1, 2], 1)).toBeNull();
  });
});

describe("trailing readings", () => {
  test("are oldest first and end with the whole series", () => {
    expect(getTrailing([1, 2, 3, 4], 3, (until) => until.at(-1) ?? null)).toEqual([2, 3, 4]);
    expect(getTrailing([1, 2, 3, 4], 4, (until) => until.length)).toEqual([1, 2, 3, 4]);
  });

  test("one missing reading, or too few closes, gives null", () => {
    expect(getTrailing([1, 2, 3, 4], 3, (until) => getMovingAverage(until, 3))).toBeNull();
    expect(getTrailing([1, 2], 3, () => 1)).toBeNull();
  });
});
