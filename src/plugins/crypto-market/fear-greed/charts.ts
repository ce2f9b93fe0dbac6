import type { Chart } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import type { FearGreedData } from "./schema.ts";

/** The publisher's index over the days that the answer has; none where only the latest value is published. */
export function drawFearGreed({ data }: { readonly data: FearGreedData }): readonly Chart[] {
  const history = data.history ?? [];
  if (history.length < 2) return [];
  const points = history.map(({ date, value }): [number, number] => [Date.parse(`${date}T00:00:00Z`), value]);
  return [
    {
      kind: "time",
      title: "Fear and greed, 30 days",
      unit: "number",
      step_ms: DAY_MS,
      about: "0 is extreme fear, 100 extreme greed. The publisher's own figures, unchanged; a missing day is a gap.",
      lines: [{ name: "index", points: points.sort(([a], [b]) => a - b) }],
    },
  ];
}
