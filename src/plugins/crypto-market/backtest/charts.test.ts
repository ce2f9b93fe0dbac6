import { describe, expect, test } from "bun:test";
import { parkMiller } from "../../../../test/helpers/test-series.ts";
import { parseCharts } from "../../../catalog/chart.ts";
import { DAY_MS } from "../../../upstream/providers/bars.ts";
import { drawBacktest } from "./charts.ts";
import { CAPITAL_USD } from "./engine.ts";
import { getMaxDrawdown } from "./metrics.ts";
import { vector } from "./vector.ts";

const TO_MS = Date.UTC(2026, 8, 26);
const random = parkMiller(7);
/** A walk of daily closes. */
const curve = (days: number) => {
  let [equity, benchmark] = [9_000, 9_500];
  return Array.from({ length: days }, (_, index) => {
    equity *= Math.exp(0.1 * (random() - 0.5));
    benchmark *= Math.exp(0.1 * (random() - 0.5));
    const date = new Date(TO_MS - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return { date, equity, benchmark, weight: 1 };
  });
};
const draw = (equity_curve: ReturnType<typeof curve> | null) => {
  const charts = drawBacktest({ ...vector.data, equity_curve });
  expect(parseCharts(charts)).toEqual(charts);
  return charts.map((chart) => (chart.kind === "time" ? chart.lines.map(({ points }) => points) : []));
};

describe("the charts of a backtest", () => {
  test("show a point a week, the newest among them: the daily curve is not given away", () => {
    const days = curve(365);
    const [equity] = draw(days);
    for (const points of equity ?? []) {
      expect(points).toHaveLength(53);
      expect(points.at(-1)?.[0]).toBe(TO_MS);
      for (const [index, [at_ms]] of points.slice(1).entries()) {
        expect(at_ms - (points[index]?.[0] ?? 0)).toBe(7 * DAY_MS);
      }
    }
    expect(equity?.[0]?.at(-1)?.[1]).toBeCloseTo(days.at(-1)?.equity ?? 0, 2);
    expect(equity?.[1]?.at(-1)?.[1]).toBeCloseTo(days.at(-1)?.benchmark ?? 0, 2);
  });

  test("measure the fall from the highest of all days, the start included, as max_drawdown_pct does", () => {
    const days = curve(300);
    const [, falls] = draw(days);
    const values = days.map(({ equity }) => equity);
    for (const [at_ms, fall] of falls?.[0] ?? []) {
      const until = values.slice(0, days.findIndex(({ date }) => Date.parse(date) === at_ms) + 1);
      const expected = ((until.at(-1) ?? 0) / Math.max(CAPITAL_USD, ...until) - 1) * 100;
      expect(fall).toBeCloseTo(expected, 2);
      expect(fall).toBeGreaterThanOrEqual(getMaxDrawdown(values).ratio * 100 - 0.005);
    }
  });

  test("lose nothing but the days in between when the curve was thinned before", () => {
    const thinned = curve(730).filter((_, index) => index % 2 === 1);
    const [equity] = draw(thinned);
    expect(equity?.[0]?.length).toBe(92);
    // Neighbours are close enough to be joined.
    const steps = (equity?.[0] ?? []).slice(1).map(([at_ms], index) => at_ms - (equity?.[0]?.[index]?.[0] ?? 0));
    expect(Math.max(...steps)).toBe(8 * DAY_MS);
  });

  test("are absent without a curve", () => {
    expect(draw(null)).toEqual([]);
    expect(draw([])).toEqual([]);
  });
});
