import type { Chart } from "intel-node";
import { COMMODITIES } from "./commodities.ts";
import type { CommodityInputs } from "./fetch.ts";

const DAY_MS = 86_400_000;
const POINTS_MAX = 300;

/** The stored history of the commodity, in its unit; nothing before two observations are there. */
export function drawCommodity({ inputs }: { readonly inputs: CommodityInputs }): readonly Chart[] {
  const { name, unit, cadence } = COMMODITIES[inputs.symbol];
  const points = inputs.history
    .slice(-POINTS_MAX)
    .map(({ date, value }): [number, number] => [Date.parse(date), value]);
  if (points.length < 2) return [];
  const of = { live: "17:00 New York of each trading day", daily: "each day", monthly: "each month's average" }[
    cadence
  ];
  return [
    {
      kind: "time",
      title: `${name}, ${unit}`,
      unit: "number",
      about: `${name}: ${of}, ${unit}. Days without an observation are gaps, never filled.`,
      step_ms: cadence === "monthly" ? 31 * DAY_MS : 4 * DAY_MS,
      lines: [{ name: unit, points }],
    },
  ];
}
