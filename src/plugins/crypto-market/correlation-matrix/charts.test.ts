import { expect, test } from "bun:test";
import { parseCharts } from "../../../catalog/chart.ts";
import { drawCorrelations } from "./charts.ts";
import { redactCorrelations } from "./compute.ts";
import { vector } from "./vector.ts";

test("the heat map has the coins of the preview and their correlations, no others", () => {
  const preview = redactCorrelations(vector.data);
  const charts = drawCorrelations(preview);
  expect(parseCharts(charts)).toEqual(charts);
  expect(charts).toMatchObject([
    { kind: "heat_map", labels: ["BTC", "ETH", "SOL"], cells: preview.windows[0]?.pearson ?? [] },
  ]);
  expect(charts[0]?.about).toContain("2026-09-01 to 2026-09-30");
});

test("a coin without a correlation is an empty row; without any there is no chart", () => {
  const [window] = redactCorrelations(vector.data).windows;
  if (!window?.pearson) throw new Error("the example has no correlations");
  const pearson = window.pearson.map((row, y) => row.map((value, x) => (x === 2 || y === 2 ? null : value)));
  const data = { ...vector.data, symbols: ["BTC", "ETH", "SOL"] };
  expect(drawCorrelations({ ...data, windows: [{ ...window, pearson }] })).toMatchObject([{ cells: pearson }]);
  expect(drawCorrelations({ ...data, windows: [{ ...window, pearson: null }] })).toEqual([]);
  expect(drawCorrelations({ ...data, windows: [] })).toEqual([]);
});
