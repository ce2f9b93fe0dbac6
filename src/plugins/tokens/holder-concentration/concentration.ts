import { boundTop } from "../facts/holders.ts";

/** What shares of supply, in percent, come to. */
export interface Concentration {
  readonly top1_pct: number | null;
  readonly top5_pct: number | null;
  readonly top10_pct: number | null;
  /** What the ten largest have at least and at most; equal where ten are listed. */
  readonly top10_min_pct: number;
  readonly top10_max_pct: number;
  readonly hhi_lower: number;
  readonly hhi_upper: number;
  readonly nakamoto_33: number | null;
  readonly gini: number | null;
  readonly band: "low" | "moderate" | "high" | "critical" | "unknown";
}

const THIRD_PCT = 100 / 3;
const WHOLE_PCT = 99.5;

/**
 * Gini coefficient of values, in the form with ranks: sum of (2 i - n - 1) x_i over n times their sum, x ascending
 * (Sen 1973). Null where they sum to nothing.
 */
export function getGini(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const sum = sorted.reduce((total, value) => total + value, 0);
  if (sum <= 0) return null;
  const weighted = sorted.reduce((total, value, index) => total + (2 * (index + 1) - sorted.length - 1) * value, 0);
  return weighted / (sorted.length * sum);
}

/** An unseen holder has at most as much as the smallest seen one: packed so, their squares are largest. */
function getUnseen(rest_pct: number, smallest_pct: number): number {
  if (rest_pct <= 0 || smallest_pct <= 0) return 0;
  const full = Math.floor(rest_pct / smallest_pct);
  return full * smallest_pct ** 2 + (rest_pct - full * smallest_pct) ** 2;
}

function getBand(top1: number | null, top10: number): Concentration["band"] {
  const band = top10 < 20 ? "low" : top10 < 35 ? "moderate" : top10 < 50 ? "high" : "critical";
  return (top1 ?? 0) >= 20 && (band === "low" || band === "moderate") ? "high" : band;
}

/**
 * Concentration of a token with honest bounds where only the largest holders are visible.
 * @param shares percent of the whole supply, largest first.
 * @param excluded what pools, burns and lockers on the same list have.
 */
export function measureConcentration(shares: readonly number[], excluded: readonly number[]): Concentration {
  const excluded_pct = excluded.reduce((sum, pct) => sum + pct, 0);
  const known = shares.reduce((sum, share) => sum + share, 0);
  const is_whole = known + excluded_pct >= WHOLE_PCT;
  const top = (count: number): number | null =>
    shares.length >= count || is_whole ? shares.slice(0, count).reduce((sum, share) => sum + share, 0) : null;
  const hhi_lower = shares.reduce((sum, share) => sum + share ** 2, 0);
  let [sum, nakamoto_33]: [number, number | null] = [0, null];
  for (const [index, share] of shares.entries()) {
    sum += share;
    if (nakamoto_33 === null && sum > THIRD_PCT) nakamoto_33 = index + 1;
  }
  const top10_pct = top(10);
  const bounds = boundTop(shares, excluded, 10);
  return {
    top1_pct: top(1),
    top5_pct: top(5),
    top10_pct,
    top10_min_pct: bounds.min,
    top10_max_pct: bounds.max,
    hhi_lower,
    hhi_upper: hhi_lower + getUnseen(100 - known - excluded_pct, shares.at(-1) ?? 0),
    nakamoto_33,
    gini: getGini(shares),
    // Where the bounds do not agree on it, the worse one counts.
    band: shares.length === 0 ? "unknown" : getBand(top(1), bounds.max),
  };
}
