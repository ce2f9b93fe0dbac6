import { expect, test } from "bun:test";
import { parseCharts } from "../../../catalog/chart.ts";
import { drawCurveOfFacts, drawWrittenCurve, PORTUGUESE } from "./charts.ts";

test("the curve of a text's facts, with yesterday, last week and last month where they are known", () => {
  const fact = (name: string, value: number) => ({ name, value, as_of: "2026-01-12" });
  const facts = [fact("di_1y", 13.6935), fact("di_1y_5d", -34), fact("di_10y", 13.47), fact("selic", 15)];
  const [chart] = parseCharts(drawCurveOfFacts(facts, PORTUGUESE));
  if (chart?.kind !== "time") throw new Error("no chart");
  expect(chart.lines.map(({ name }) => name)).toEqual(["hoje", "5 dias úteis antes"]);
  expect(chart.lines[0]?.points.map(([at_ms]) => new Date(at_ms).getUTCFullYear())).toEqual([2027, 2036]);
  expect(chart.lines[1]?.points.map(([, rate]) => rate)).toEqual([13.6935 + 0.34, null]);
});

test("without a rate there is no picture", () => {
  expect(drawCurveOfFacts([], PORTUGUESE)).toEqual([]);
  const nothing = { nominal: null, change_1d_bps: null, change_5d_bps: null, change_21d_bps: null };
  expect(drawWrittenCurve("2026-01-12", [{ tenor: "1y", ...nothing }], PORTUGUESE)).toEqual([]);
});
