import type { Bar } from "intel-node/providers/bars";
import { computeADX, computeEfficiencyRatio } from "intel-node/quant/indicators";

export const FACTORS = ["trend_200", "cross_50_200", "mom_90", "breadth_50", "drawdown_365"] as const;
export type RegimeFactor = (typeof FACTORS)[number];

/** Weights of the factors; they sum to 1. */
const FACTOR_WEIGHTS: Readonly<Record<RegimeFactor, number>> = {
  trend_200: 0.25,
  cross_50_200: 0.15,
  mom_90: 0.2,
  breadth_50: 0.25,
  drawdown_365: 0.15,
};

export type FactorValues = Readonly<Record<RegimeFactor, number | null>>;

/** What one close says: the factors and what the chop gate looks at. */
export interface DailyFactors {
  readonly t_ms: number;
  readonly values: FactorValues;
  readonly er30: number;
  readonly adx14: number;
}

/** How many coins closed above their averages, and of how many that had such an average by then. */
export interface Breadth {
  readonly above_50: number;
  readonly of_50: number;
  readonly above_200: number;
  readonly of_200: number;
}

/** Fewer coins are not a market. */
export const BREADTH_COINS_MIN = 12;

const MOMENTUM_DAYS = 90;
const DRAWDOWN_DAYS = 365;
const FIRST_DAY = DRAWDOWN_DAYS - 1;

const clamp = (value: number): number => Math.max(-1, Math.min(1, value));

/** Sums of closes up to each one: the mean of any stretch is a difference. */
function sumUp(bars: readonly Bar[]): Float64Array {
  const sums = new Float64Array(bars.length + 1);
  let sum = 0;
  for (let index = 0; index < bars.length; index += 1) {
    sum += bars[index]?.close ?? Number.NaN;
    sums[index + 1] = sum;
  }
  return sums;
}

/** Mean of the `count` closes up to and including `index`; null before there are as many. */
const getMean = (sums: Float64Array, index: number, count: number): number | null =>
  index + 1 < count ? null : ((sums[index + 1] ?? 0) - (sums[index + 1 - count] ?? 0)) / count;

/** A close that is above the mean by no more than rounding is not above it. */
const isAbove = (close: number, mean: number): boolean => close > mean * (1 + 1e-12);

/**
 * Breadth at each of the last `days` closes, oldest first. The coins' series end with the same bar; those that reach
 * back less far count from where they start.
 */
export function computeBreadth(universe: readonly (readonly Bar[])[], days: number): readonly Breadth[] {
  const counts = Array.from({ length: days }, () => ({ above_50: 0, of_50: 0, above_200: 0, of_200: 0 }));
  for (const bars of universe) {
    const sums = sumUp(bars);
    for (let day = Math.max(0, days - bars.length); day < days; day += 1) {
      const index = bars.length - days + day;
      const count = counts[day];
      const close = bars[index]?.close;
      if (count === undefined || close === undefined) continue;
      const fifty = getMean(sums, index, 50);
      if (fifty === null) continue;
      count.of_50 += 1;
      if (isAbove(close, fifty)) count.above_50 += 1;
      const two_hundred = getMean(sums, index, 200);
      if (two_hundred === null) continue;
      count.of_200 += 1;
      if (isAbove(close, two_hundred)) count.above_200 += 1;
    }
  }
  return counts;
}

/** 2 x share of coins above their 50-day average - 1; null with fewer than 12 coins. */
const getBreadthFactor = (breadth: Breadth | undefined): number | null =>
  breadth === undefined || breadth.of_50 < BREADTH_COINS_MIN ? null : (2 * breadth.above_50) / breadth.of_50 - 1;

/**
 * Return of 90 days in units of what chance alone would give: ln(C / C-90) / (s90 x sqrt(90)) / 1.5, s90 the sample
 * standard deviation of the last 90 logarithmic returns (Moskowitz, Ooi, Pedersen, Time Series Momentum, Journal of
 * Financial Economics 104, 2012, scale by volatility for the same reason).
 */
function getMomentum(logs: readonly number[], index: number): number | null {
  const from = index - MOMENTUM_DAYS;
  if (from < 0) return null;
  const change = (logs[index] ?? Number.NaN) - (logs[from] ?? Number.NaN);
  if (change === 0) return 0;
  const mean = change / MOMENTUM_DAYS;
  let squares = 0;
  let before = logs[from] ?? Number.NaN;
  for (let day = from + 1; day <= index; day += 1) {
    const log = logs[day] ?? Number.NaN;
    squares += (log - before - mean) ** 2;
    before = log;
  }
  const sigma = Math.sqrt(squares / (MOMENTUM_DAYS - 1));
  return clamp(change / (sigma * Math.sqrt(MOMENTUM_DAYS)) / 1.5);
}

/** Highest close of the 365 up to and including each one, by a queue of falling closes. */
function computeHighest(closes: readonly number[]): readonly (number | null)[] {
  const queue: number[] = [];
  let head = 0;
  return closes.map((close, index) => {
    while (queue.length > head && (closes[queue.at(-1) ?? 0] ?? 0) <= close) queue.pop();
    queue.push(index);
    if ((queue[head] ?? 0) <= index - DRAWDOWN_DAYS) head += 1;
    return index < FIRST_DAY ? null : (closes[queue[head] ?? 0] ?? null);
  });
}

/**
 * The factors at each close of Bitcoin from the 365th on, oldest first; each looks at nothing after its own close.
 * `breadth` belongs to the last closes. The long average as a filter: Faber, A Quantitative Approach to Tactical Asset
 * Allocation, Journal of Wealth Management (2007).
 */
export function computeFactors(bars: readonly Bar[], breadth: readonly Breadth[]): readonly DailyFactors[] {
  const closes = bars.map(({ close }) => close);
  const logs = closes.map(Math.log);
  const highest = computeHighest(closes);
  const sums = sumUp(bars);
  const ratios = computeEfficiencyRatio(closes, 30);
  const strengths = computeADX(bars);
  const days: DailyFactors[] = [];
  for (const [index, bar] of bars.entries()) {
    if (index < FIRST_DAY) continue;
    const sma50 = getMean(sums, index, 50);
    const sma200 = getMean(sums, index, 200);
    const top = highest[index];
    const er30 = ratios[index];
    const adx14 = strengths[index]?.adx;
    const mom_90 = getMomentum(logs, index);
    if (sma50 === null || sma200 === null || typeof top !== "number") continue;
    if (typeof er30 !== "number" || typeof adx14 !== "number" || mom_90 === null) continue;
    const values: FactorValues = {
      trend_200: clamp((bar.close / sma200 - 1) / 0.15),
      cross_50_200: clamp((sma50 / sma200 - 1) / 0.1),
      mom_90,
      breadth_50: getBreadthFactor(breadth[index - bars.length + breadth.length]),
      drawdown_365: clamp(1 + (bar.close / top - 1) / 0.2),
    };
    days.push({ t_ms: bar.t_ms, values, er30, adx14 });
  }
  return days;
}

export interface WeighedFactor {
  readonly name: RegimeFactor;
  readonly value: number | null;
  /** Weight used; 0 without a value. */
  readonly weight: number;
  readonly contribution: number;
}

/** The factors with the weights used: those without a value count nothing, and the other weights are scaled to 1. */
export function weighFactors(values: FactorValues): readonly WeighedFactor[] {
  const total = FACTORS.reduce((sum, name) => sum + (values[name] === null ? 0 : FACTOR_WEIGHTS[name]), 0);
  return FACTORS.map((name) => {
    const value = values[name];
    const weight = value === null || total === 0 ? 0 : FACTOR_WEIGHTS[name] / total;
    return { name, value, weight, contribution: weight * (value ?? 0) };
  });
}

/** The score, -1 (bear) to 1 (bull): the weighted sum of the factors. */
export const getScore = (values: FactorValues): number =>
  weighFactors(values).reduce((sum, { contribution }) => sum + contribution, 0);
