import { expect, test } from "bun:test";
import { DAY_MS } from "intel-node/providers/bars";
import { drawAnalise } from "./charts.ts";
import type { AnaliseInputs } from "./fetch.ts";

const bars = Array.from({ length: 210 }, (_, index) => {
  const close = index + 1;
  return { t_ms: index * DAY_MS, open: close, high: close, low: close, close, volume: 1 };
});
const FAILED = { ok: false, error: new Error("not asked") } as const;
const draw = (count: number) => {
  const daily = { symbol: "BTC", interval: "1d", provider: "a", fetched_at_ms: 0, bars: bars.slice(0, count) } as const;
  const inputs: AnaliseInputs = { symbol: "BTC", daily, four_hours: FAILED, funding: FAILED, regime: null };
  return drawAnalise({ inputs })[0];
};

test("closes are drawn beside averages that begin where they have all of their days", () => {
  const chart = draw(210);
  const lines = chart?.kind === "time" ? chart.lines : [];
  expect(lines.map(({ name, points }) => [name, points.length])).toEqual([
    ["close", 200],
    ["average of 50 days", 200],
    ["average of 200 days", 200],
  ]);
  // Of 1, 2, … 210: the mean of the last 50 is 185.5, of the last 200 110.5; the 200th day is the first with one.
  expect(lines.map(({ points }) => points.at(-1)?.[1])).toEqual([210, 185.5, 110.5]);
  expect(lines[2]?.points.findIndex(([, value]) => value !== null)).toBe(189);
});

test("a single bar is not a line", () => {
  expect(draw(1)).toBeUndefined();
});
