import type { Chart } from "intel-node";
import type { CorrelationData } from "./schema.ts";

/** The newest window's correlations as a heat map; none where it has none. */
export function drawCorrelations({ symbols, windows }: CorrelationData): readonly Chart[] {
  const [window] = windows;
  if (!window?.pearson) return [];
  const about =
    `Pearson's correlation of daily log returns, ${window.from} to ${window.to}. 1 means that two coins move alike, ` +
    "0 that neither tells of the other, -1 that one rises when the other falls.";
  const title = `Correlation over ${window.days} days`;
  return [{ kind: "heat_map", title, about, labels: symbols, cells: window.pearson }];
}
