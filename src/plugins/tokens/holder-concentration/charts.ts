import type { Chart } from "intel-node";
import type { HolderConcentrationData } from "./schema.ts";

/** The free preview shows as many rows; a curve of more would give them away. */
const RANKS = 5;

/** The joint share of the largest holders: the curve shows whether few or many hold the token. */
export function drawHolders({ rows, top10_pct }: HolderConcentrationData): readonly Chart[] {
  const sums = rows.slice(0, RANKS).map((_, index) => ({
    name: index === 0 ? "top 1" : `top ${index + 1}`,
    value: rows.slice(0, index + 1).reduce((sum, { pct }) => sum + pct, 0),
  }));
  const bars = [...sums, ...(top10_pct === null ? [] : [{ name: "top 10", value: top10_pct }])];
  if (bars.length < 2) return [];
  return [
    {
      kind: "bars",
      title: "Held by the largest together",
      unit: "percent",
      bars,
      about: "Percent of the supply, pools, burns and lockers taken out. One person may have several wallets.",
    },
  ];
}
