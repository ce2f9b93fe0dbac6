import { addBankDays, type Chart, type ChartLine } from "intel-node";
import type { CurveInputs } from "./fetch.ts";
import { type CurveData, TENOR_NAMES, TENORS } from "./schema.ts";

const YEAR_MS = 366 * 86_400_000;

/** The curve over the days its terms end on, with those of yesterday, last week and last month. */
export function drawCurve({
  data,
  inputs,
}: {
  readonly data: CurveData;
  readonly inputs: CurveInputs;
}): readonly Chart[] {
  const { reference_date: date, curve } = data;
  const at = TENOR_NAMES.map((tenor) => Date.parse(`${addBankDays(date, TENORS[tenor], inputs.extra)}T00:00:00Z`));
  const lineOf = (name: string, change?: "change_1d_bps" | "change_5d_bps" | "change_21d_bps"): ChartLine => ({
    name,
    points: curve.map((point, index): [number, number | null] => {
      const change_bps = change ? point[change] : 0;
      const rate = point.nominal === null || change_bps === null ? null : point.nominal - change_bps / 100;
      return [at[index] ?? 0, rate];
    }),
  });
  const lines = [
    lineOf(date),
    lineOf("trading day before", "change_1d_bps"),
    lineOf("5 business days before", "change_5d_bps"),
    lineOf("21 business days before", "change_21d_bps"),
  ].filter(({ points }) => points.some(([, rate]) => rate !== null));
  const inflation: ChartLine[] = (["real", "breakeven"] as const).map((name) => ({
    name,
    points: curve.map((point, index): [number, number | null] => [at[index] ?? 0, point[name]]),
  }));
  const about = "Each point is at the day its term ends. Computed from public settlement prices; not an official rate.";
  const shared = { kind: "time", unit: "percent", step_ms: 4 * YEAR_MS } as const;
  const charts: Chart[] = lines.length === 0 ? [] : [{ ...shared, title: "Nominal rates by maturity", about, lines }];
  if (inflation.some(({ points }) => points.some(([, rate]) => rate !== null))) {
    charts.push({ ...shared, title: "Real rates and breakeven inflation by maturity", about, lines: inflation });
  }
  return charts;
}
