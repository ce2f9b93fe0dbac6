import { getBinomialTail } from "intel-node/quant/distributions";
import { getWilsonInterval } from "intel-node/quant/intervals";
import { mean, sampleStandardDeviation } from "simple-statistics";
import type { Side } from "./model.ts";
import { getResult } from "./score.ts";
import type { StoredSignal } from "./signal-records.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DAYS_PER_YEAR = 365;
const BPS = 10_000;

/** A graded signal with the numbers that statistics are made of. */
export interface Graded {
  readonly symbol: string;
  readonly side: Side;
  readonly confidence: number;
  readonly emitted_at_ms: number;
  readonly exit_at_ms: number;
  readonly net_bps: number;
  readonly hit: boolean;
  /** Whether being long over the same hours at the same cost would have been a hit. */
  readonly long_hit: boolean;
}

/** Null while a signal is open, or when it cannot be scored. */
export function toGraded({ record, outcome, emitted_at_ms }: StoredSignal): Graded | null {
  if (outcome?.status !== "scored") return null;
  const { entry_price, exit_price, exit_at, net_bps, hit } = outcome;
  const { symbol, side, confidence, cost_bps } = record;
  return {
    symbol,
    side,
    confidence,
    emitted_at_ms,
    exit_at_ms: Date.parse(exit_at),
    net_bps: Number(net_bps),
    hit,
    long_hit: getResult({ side: "long", entry_price, exit_price, cost_bps }).hit,
  };
}

/** The published figures of a group of graded signals; null without signals. */
export function summarise(graded: readonly Graded[]) {
  const [n, wins] = [graded.length, graded.filter(({ hit }) => hit).length];
  const interval = getWilsonInterval(wins, n);
  return {
    n,
    wins,
    win_rate: n === 0 ? null : wins / n,
    lo95: interval?.low ?? null,
    hi95: interval?.high ?? null,
    mean_net_bps: n === 0 ? null : getMean(graded, (one) => one.net_bps),
  };
}

/** Not rounded. */
export interface SignalPerformance {
  readonly n_scored: number;
  readonly wins: number;
  readonly win_rate: number | null;
  readonly win_rate_lo95: number | null;
  readonly win_rate_hi95: number | null;
  readonly avg_net_bps: number | null;
  readonly median_net_bps: number | null;
  readonly sum_net_bps: number;
  /** Sum of gains over sum of losses; null without a loss. */
  readonly profit_factor: number | null;
  readonly always_long_hits: number;
  /** One-sided exact binomial test against a coin: P(X >= wins). */
  readonly p_value_vs_half: number | null;
  /** Mean squared error of 0.5 + confidence / 200 as a probability of a hit (Brier, 1950). */
  readonly brier: number | null;
}

/** Mean of one figure of some signals; NaN of none. A plain loop: a record has many thousands of them. */
function getMean(graded: readonly Graded[], read: (one: Graded) => number): number {
  let sum = 0;
  for (const one of graded) sum += read(one);
  return sum / graded.length;
}

function getMedian(graded: readonly Graded[]): number {
  const sorted = Float64Array.from(graded, ({ net_bps }) => net_bps).sort();
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

export function computePerformance(graded: readonly Graded[]): SignalPerformance {
  const n_scored = graded.length;
  let [wins, long_hits, gains, losses] = [0, 0, 0, 0];
  for (const { hit, long_hit, net_bps } of graded) {
    if (hit) wins += 1;
    if (long_hit) long_hits += 1;
    if (net_bps > 0) gains += net_bps;
    else losses -= net_bps;
  }
  const interval = getWilsonInterval(wins, n_scored);
  const some = n_scored > 0;
  return {
    n_scored,
    wins,
    win_rate: some ? wins / n_scored : null,
    win_rate_lo95: interval?.low ?? null,
    win_rate_hi95: interval?.high ?? null,
    avg_net_bps: some ? (gains - losses) / n_scored : null,
    median_net_bps: some ? getMedian(graded) : null,
    sum_net_bps: gains - losses,
    profit_factor: losses > 0 ? gains / losses : null,
    always_long_hits: long_hits,
    p_value_vs_half: some ? getBinomialTail(wins, n_scored, 0.5) : null,
    brier: some ? getMean(graded, ({ confidence, hit }) => (0.5 + confidence / 200 - (hit ? 1 : 0)) ** 2) : null,
  };
}

export interface DailyPerformance {
  /** UTC days with at least one exit. */
  readonly days: number;
  /** Mean over sample deviation of the daily means, times sqrt(365); null with fewer than two days or without any. */
  readonly sharpe: number | null;
  /** Largest fall of the compounded daily means from a peak, percent, 0 or below; null without a day. */
  readonly max_drawdown_pct: number | null;
}

/** The portfolio that splits itself evenly over the signals that end on a day (Sharpe, 1994). */
export function computeDaily(graded: readonly Graded[]): DailyPerformance {
  const sums_by_day = new Map<number, { sum: number; n: number }>();
  for (const { exit_at_ms, net_bps } of graded) {
    const day = Math.floor(exit_at_ms / DAY_MS);
    const sums = sums_by_day.get(day) ?? { sum: 0, n: 0 };
    sums_by_day.set(day, { sum: sums.sum + net_bps, n: sums.n + 1 });
  }
  const returns = [...sums_by_day].sort(([a], [b]) => a - b).map(([, { sum, n }]) => sum / n / BPS);
  if (returns.length === 0) return { days: 0, sharpe: null, max_drawdown_pct: null };
  const sigma = returns.length > 1 ? sampleStandardDeviation(returns) : 0;
  let [value, peak, worst] = [1, 1, 0];
  for (const one of returns) {
    value *= 1 + one;
    peak = Math.max(peak, value);
    worst = Math.min(worst, value / peak - 1);
  }
  return {
    days: returns.length,
    sharpe: sigma > 0 ? (mean(returns) / sigma) * Math.sqrt(DAYS_PER_YEAR) : null,
    max_drawdown_pct: worst * 100,
  };
}

/**
 * The first signal of each coin, then the first one that enters when it has left or later, and so on. Oldest first. A
 * position is held between full hours: the seconds at which signals were written do not matter.
 */
export function dropOverlapping(graded: readonly Graded[], horizon_h: number): readonly Graded[] {
  const free_from = new Map<string, number>();
  return [...graded]
    .sort((a, b) => a.emitted_at_ms - b.emitted_at_ms)
    .filter(({ symbol, exit_at_ms }) => {
      const entry_at_ms = exit_at_ms - horizon_h * HOUR_MS;
      if (entry_at_ms < (free_from.get(symbol) ?? Number.NEGATIVE_INFINITY)) return false;
      free_from.set(symbol, exit_at_ms);
      return true;
    });
}

/** Confidence classes; emitted signals begin at 20. */
export const BUCKETS = [
  { label: "20-39", from: 20, to: 39 },
  { label: "40-59", from: 40, to: 59 },
  { label: "60-79", from: 60, to: 79 },
  { label: "80-100", from: 80, to: 100 },
] as const;

export type BucketLabel = (typeof BUCKETS)[number]["label"];

export const getBucketLabel = (confidence: number): BucketLabel =>
  BUCKETS.find(({ to }) => confidence <= to)?.label ?? "80-100";

const PRIOR = 10;

/** Chance of a hit with a Beta(10, 10) prior: 0.5 for a node without a record. */
export const getCalibrated = (wins: number, n: number): number => (wins + PRIOR) / (n + 2 * PRIOR);
