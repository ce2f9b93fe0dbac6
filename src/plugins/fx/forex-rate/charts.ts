import type { Chart } from "intel-node";
import type { ForexInputs } from "./fetch.ts";

const DAY_MS = 86_400_000;
/** Over a weekend and two holidays there is no fix, and the line continues. */
const STEP_MS = 4 * DAY_MS;

/** The official rate of each day of the last year or so; empty where unavailable. */
export function drawForex({
  inputs: { pair, fixes },
}: {
  readonly inputs: Pick<ForexInputs, "pair" | "fixes">;
}): readonly Chart[] {
  if (fixes.length < 2) return [];
  const points = fixes.map(({ date, rate }): [number, number] => [Date.parse(`${date}T00:00:00Z`), rate]);
  return [
    {
      kind: "time",
      title: `Official rate of ${pair}`,
      unit: "number",
      step_ms: STEP_MS,
      about: "Reference rates of the ECB, or the cross of two, one a business day; for information only.",
      lines: [{ name: pair, points: points.sort(([a], [b]) => a - b) }],
    },
  ];
}
