import { describe, expect, test } from "bun:test";
import { series1, series2 } from "../../../../test/helpers/test-series.ts";
import { getPercentileRank, getRealisedVolatility, getTrailing } from "../../../quant/stats.ts";
import { readVolatility } from "./volatility.ts";

describe("volatility and its rank", () => {
  test("series 1 reads as published", () => {
    const reading = readVolatility(series1().map(({ close }) => close));
    expect(reading?.rv30).toBeCloseTo(0.043759, 6);
    expect(reading?.percentile).toBeCloseTo(43.4247, 4);
    expect(reading?.state).toBe("normal");
  });

  test("each day's window alone gives the same, to the last digit", () => {
    const closes = series2().map(({ close }) => close);
    for (const days of [395, 400, closes.length]) {
      const used = closes.slice(0, days);
      const windows = getTrailing(used, 365, (until) => getRealisedVolatility(until, 30)) ?? [];
      const newest = windows.at(-1) ?? Number.NaN;
      expect(readVolatility(used)).toMatchObject({ rv30: newest, percentile: getPercentileRank(windows, newest) });
    }
  });

  test("the unit of the price changes nothing; what is older than a year and a month neither", () => {
    const closes = series2().map(({ close }) => close);
    const reading = readVolatility(closes);
    const scaled = readVolatility(closes.map((close) => close * 1024));
    expect(scaled).toEqual(reading);
    expect(readVolatility(closes.slice(-395))).toEqual(reading);
  });

  test("a constant price is its own middle; too few closes, or one of 0, have none", () => {
    expect(readVolatility(new Array<number>(395).fill(5))).toEqual({ rv30: 0, percentile: 50, state: "normal" });
    expect(readVolatility(new Array<number>(394).fill(5))).toBeNull();
    expect(readVolatility([...new Array<number>(394).fill(5), 0])).toBeNull();
  });
});
