import { type DailyFactors, getScore } from "./factors.ts";

export const REGIMES = ["bull", "bear", "chop"] as const;
export type Regime = (typeof REGIMES)[number];

/** A score that far from 0 starts bull or bear, and this far keeps it. */
const ENTER = 0.35;
const STAY = 0.2;
/** Closes a state holds before it may change. */
const HELD_MIN = 4;

/** One close of the replay. */
export interface RegimeDay {
  readonly t_ms: number;
  readonly regime: Regime;
  readonly score: number;
  /** Whether the market went nowhere, so that only a strong score counts. */
  readonly chop_gate: boolean;
}

/** Where the score alone would go from a state. */
function getCandidate(state: Regime, score: number): Regime {
  if (state === "bull" && score >= STAY) return "bull";
  if (state === "bear" && score <= -STAY) return "bear";
  if (score >= ENTER) return "bull";
  return score <= -ENTER ? "bear" : "chop";
}

export const isGated = ({ er30, adx14 }: Pick<DailyFactors, "er30" | "adx14">, score: number): boolean =>
  er30 < 0.15 && adx14 < 20 && Math.abs(score) < 0.6;

/**
 * The state at each close, replayed from chop at the first one. A state changes only after it held for four closes, so
 * that a score on the edge does not make it flicker.
 */
export function replayRegimes(days: readonly DailyFactors[]): readonly RegimeDay[] {
  let [state, held]: [Regime, number] = ["chop", 0];
  return days.map((day) => {
    const score = getScore(day.values);
    const chop_gate = isGated(day, score);
    const candidate = chop_gate ? "chop" : getCandidate(state, score);
    const changes = candidate !== state && held >= HELD_MIN;
    state = changes ? candidate : state;
    held = changes ? 1 : held + 1;
    return { t_ms: day.t_ms, regime: state, score, chop_gate };
  });
}

/** How sure the score makes the state, 0 to 1. */
export const getConfidence = (regime: Regime, score: number): number =>
  regime === "chop" ? 1 - Math.min(1, Math.abs(score) / ENTER) : Math.min(1, Math.abs(score) / (2 * ENTER));
