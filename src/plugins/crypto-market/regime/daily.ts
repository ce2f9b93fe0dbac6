import type { Bar } from "intel-node/providers/bars";
import { fitTwoStates } from "intel-node/quant/hmm";
import type { BarSeries } from "intel-node/series/bar-series";
import { computeTrack } from "./track.ts";

export const RETURNS_MAX = 1_000;
const RETURNS_MIN = 500;

/** What is fitted or measured over years changes with the daily bar only, so that it is kept until then. */
function createDaily<A, T>(keyOf: (input: A) => string, work: (input: A) => T): (input: A) => T {
  const kept = new Map<string, T>();
  return (input) => {
    const key = keyOf(input);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = work(input);
    // Today's and, for the preview, yesterday's.
    if (kept.size >= 4) kept.delete(kept.keys().next().value ?? "");
    kept.set(key, made);
    return made;
  };
}

const digest = (bars: readonly Bar[]): string =>
  `${bars.length} ${bars.at(-1)?.t_ms} ${bars.reduce((sum, { close }) => sum + close, 0)}`;

/** A second opinion about the newest return. */
interface Turbulence {
  /** Filtered probability that it is of the wilder of two states; null without a model. */
  readonly p: number | null;
  /** Returns the model was fitted to. */
  readonly n: number;
}

/** The model of two states of the last 1,000 returns, or of as many as there are, from 500 on. */
export const getTurbulence = createDaily(digest, (bars): Turbulence => {
  const logs = bars.slice(-(RETURNS_MAX + 1)).map(({ close }) => Math.log(close));
  const returns = logs.slice(1).map((log, index) => log - (logs[index] ?? Number.NaN));
  const p = returns.length < RETURNS_MIN ? null : (fitTwoStates(returns)?.p_turbulent ?? null);
  return { p, n: returns.length };
});

/** How Bitcoin did after days of each state. */
export const getTrack = createDaily(
  (years: BarSeries | null) => (years ? `${years.provider} ${digest(years.bars)}` : ""),
  computeTrack,
);
