import type { Bar } from "intel-node/providers/bars";
import { type Breadth, computeBreadth, computeFactors, type WeighedFactor, weighFactors } from "./factors.ts";
import { getConfidence, type Regime, type RegimeDay, replayRegimes } from "./replay.ts";

/** Daily bars, oldest first, all series ending with the same bar. */
export interface RegimeInputs {
  readonly bitcoin: readonly Bar[];
  /** The larger coins, Bitcoin among them. */
  readonly universe: readonly (readonly Bar[])[];
}

/** The market's state and its reasons. Not rounded. */
export interface RegimeReading {
  readonly regime: Regime;
  /** -1 (bear) to 1 (bull). */
  readonly score: number;
  readonly confidence: number;
  /** Opening time of the first bar of the state; the first replayed one when the state is older than that. */
  readonly since_ms: number;
  /** Closes in the state, within the replay. */
  readonly days_in_regime: number;
  /** Opening time of the newest bar. */
  readonly bar_ms: number;
  readonly factors: readonly WeighedFactor[];
  readonly chop_gate: boolean;
  readonly er30: number;
  readonly adx14: number;
  readonly breadth: Breadth;
  /** The state before; null when the replay saw none. */
  readonly previous: { readonly regime: Regime; readonly ended_ms: number } | null;
  /** Every close of the replay, oldest first. */
  readonly days: readonly RegimeDay[];
}

/** 200 closes are replayed, and the first of them takes a year before it, with some to let Wilder's averages settle. */
export const REPLAYED_DAYS = 200;
export const BITCOIN_DAYS = 620;

/**
 * Bull, bear or chop at the newest close: a score of five factors, replayed from chop over the last 200 closes, so that
 * the answer depends on the data only. Always computed from Bitcoin's last 620 bars, however many there are. Null when
 * there are fewer.
 */
export function computeRegime({ bitcoin, universe }: RegimeInputs): RegimeReading | null {
  if (bitcoin.length < BITCOIN_DAYS) return null;
  const breadth = computeBreadth(universe, REPLAYED_DAYS);
  const factors = computeFactors(bitcoin.slice(-BITCOIN_DAYS), breadth).slice(-REPLAYED_DAYS);
  const days = replayRegimes(factors);
  const [today, now, breadth_now] = [factors.at(-1), days.at(-1), breadth.at(-1)];
  if (!today || !now || !breadth_now || days.length < REPLAYED_DAYS) return null;
  const before = days.findLastIndex(({ regime }) => regime !== now.regime);
  const [first, ended] = [days[before + 1], days[before]];
  return {
    regime: now.regime,
    score: now.score,
    confidence: getConfidence(now.regime, now.score),
    since_ms: first?.t_ms ?? now.t_ms,
    days_in_regime: days.length - 1 - before,
    bar_ms: now.t_ms,
    factors: weighFactors(today.values),
    chop_gate: now.chop_gate,
    er30: today.er30,
    adx14: today.adx14,
    breadth: breadth_now,
    previous: ended ? { regime: ended.regime, ended_ms: ended.t_ms } : null,
    days,
  };
}
