import { describe, expect, test } from "bun:test";
import { sampleCorrelation } from "simple-statistics";
import type { DailyPoint } from "../../../upstream/series/daily-series.ts";
import { type CrossSeries, correlateAcross, correlateAll } from "./cross-asset.ts";

const series = (id: string, days: Readonly<Record<string, number>>, hour = 14): CrossSeries => ({
  id,
  move: "log",
  observedAt: (date) => Date.parse(date) + hour * 3_600_000,
  points: Object.entries(days).map(([day, value]): DailyPoint => [`2026-${day}`, value]),
});
const A = series("A", {
  "01-05": 100,
  "01-06": 101,
  "01-07": 102,
  "01-08": 101,
  "01-09": 103,
  "01-12": 104,
  "01-13": 103.5,
});
const B = series("B", {
  "01-05": 50,
  "01-06": 50.4,
  "01-07": 51.1,
  "01-09": 51,
  "01-12": 51.9,
  "01-13": 51.5,
  "01-14": 52,
});

describe("across markets", () => {
  test("the published vector: days that both have, a gap is one longer return on both sides", () => {
    const cell = correlateAcross(A, B, { window: 30, n_min: 5 });
    expect(cell).toMatchObject({ n: 5, common_end: "2026-01-13", asynchronous: false, pearson_2d: null });
    expect(cell.pearson).toBeCloseTo(0.7181082711, 9);
    expect(cell.spearman).toBeCloseTo(0.3, 9);
    expect(cell.low).toBeCloseTo(-0.44798444, 7);
    expect(cell.high).toBeCloseTo(0.9796836, 7);
    expect(correlateAcross(A, B, { window: 30 })).toMatchObject({
      pearson: null,
      null_reason: expect.stringContaining("20"),
    });
  });

  test("order, duplicates and values that are not numbers change nothing", () => {
    const messy = {
      ...B,
      points: [["2026-01-09", 1], ...B.points.toReversed(), ["2026-01-08", Number.NaN]] as DailyPoint[],
    };
    const straight = { ...messy, points: [...messy.points.slice(1)] };
    expect(correlateAcross(A, straight, { window: 30, n_min: 5 })).toEqual(
      correlateAcross(A, B, { window: 30, n_min: 5 }),
    );
  });

  test("markets observed hours apart are marked, and have the correlation of two days as well", () => {
    const late = { ...B, observedAt: (date: string) => Date.parse(date) + 24 * 3_600_000 };
    const cell = correlateAcross(A, late, { window: 30, n_min: 4 });
    const common = ["01-05", "01-06", "01-07", "01-09", "01-12", "01-13"].map((day) => `2026-${day}`);
    const two = (one: CrossSeries) => {
      const values = common.map((date) => new Map(one.points).get(date) ?? 0);
      return values.slice(2).map((value, index) => Math.log(value / (values[index] ?? 1)));
    };
    expect(cell.asynchronous).toBe(true);
    expect(cell.pearson_2d).toBeCloseTo(sampleCorrelation(two(A), two(B)), 10);
  });

  test("a constant series and one common day have a reason; a pair is listed once", () => {
    const still = series("C", { "01-05": 1, "01-06": 1, "01-07": 1 });
    expect(correlateAcross(A, still, { window: 9, n_min: 2 })).toMatchObject({
      pearson: null,
      null_reason: "C did not move",
    });
    expect(correlateAcross(A, series("D", { "01-05": 1 }), { window: 9 })).toMatchObject({
      n: 0,
      common_end: "2026-01-05",
    });
    expect(correlateAll([A, B], [A, B, still], 30).map(({ a, b }) => a + b)).toEqual(["AB", "AC", "BC"]);
  });
});
