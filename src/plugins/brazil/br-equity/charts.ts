import type { Chart } from "intel-node";
import { adjustCloses } from "intel-node/series/adjust-closes";
import type { EquityInputs } from "./fetch.ts";
import type { EquityData } from "./schema.ts";

const DAY_MS = 86_400_000;

/** Closes over time, with their mean of 50. */
export function drawEquity({
  data,
  inputs,
}: {
  readonly data: EquityData;
  readonly inputs: EquityInputs;
}): readonly Chart[] {
  const { closes } = adjustCloses(inputs.history);
  if (closes.length < 2) return [];
  const points = closes.map(({ date, close }): [number, number] => [Date.parse(`${date}T00:00:00Z`), close]);
  const means = points.map(([at_ms], index): [number, number | null] => {
    const last = points.slice(Math.max(0, index - 49), index + 1);
    return [at_ms, last.length < 50 ? null : last.reduce((sum, [, close]) => sum + close, 0) / 50];
  });
  const lines = [{ name: data.symbol, points }];
  const mean = means.some(([, value]) => value !== null) ? [{ name: "mean of 50 closes", points: means }] : [];
  return [
    {
      kind: "time",
      title: `${data.symbol}: closes`,
      about: `In ${data.unit}, adjusted for splits and proceeds as B3's own changes show them.`,
      unit: "number",
      // Holidays and Carnival are not gaps.
      step_ms: 5 * DAY_MS,
      lines: [...lines, ...mean],
    },
  ];
}
