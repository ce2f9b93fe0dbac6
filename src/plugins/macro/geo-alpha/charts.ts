import type { Chart } from "intel-node";
import type { GeoInputs } from "./fetch.ts";
import { describe } from "./measure.ts";

const SLOT_MS = 6 * 3_600_000;

/** The share of conflict in each sampled file of the last 60 days. */
export function drawGeoAlpha({ inputs }: { readonly inputs: GeoInputs }): readonly Chart[] {
  const points = inputs.slots.flatMap(({ at_ms, counts }): [number, number][] => {
    const share = describe(counts.world)?.conflict_share;
    return share === undefined ? [] : [[at_ms, share * 100]];
  });
  if (points.length < 2) return [];
  return [
    {
      kind: "time",
      title: "Material conflict in the world's reports",
      unit: "percent",
      step_ms: SLOT_MS,
      about: "Share of mentions that are of material conflict, four files of a quarter of an hour a day (GDELT).",
      lines: [{ name: "conflict share", points }],
    },
  ];
}
