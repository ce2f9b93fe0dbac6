import type { Chart } from "intel-node";
import type { CorrelationData } from "./schema.ts";

/** The newest window's correlations as a heat map; no chart without correlations. */
export function drawCorrelations({ symbols, windows }: CorrelationData): readonly Chart[] {
  const [window] = windows;
  if (!window?.pearson) return [];
  const about =
    `Pearson's correlation of daily log returns, ${window.from} to ${window.to}. 1 means that coins move together, ` +
    "0 that they are unrelated, -1 that one rises when the other falls.";
  const title = `Correlation over ${window.days} days`;
  return [{ kind: "heat_map", title, about, labels: symbols, cells: window.pearson }];
}
