import type { AnaliseData, BIASES, FLAGS, RULES } from "./schema.ts";

/** Unrounded readings at the newest bar. */
export interface BiasReadings {
  readonly close: number;
  readonly sma50: number;
  readonly sma200: number;
  readonly ema12: number;
  readonly ema26: number;
  readonly macd_hist: number;
  readonly rsi14: number;
  readonly adx14: number;
  /** Middle of the highest high and lowest low of the last 20 bars, the newest included (Donchian channel). */
  readonly donchian_mid: number;
  readonly bb_lower: number;
  readonly bb_upper: number;
}

type Rule = (typeof RULES)[number];
type Label = (typeof BIASES)[number];
export type Flag = (typeof FLAGS)[number];

const BIAS_FROM = 0.4;
const ADX_TREND = 25;

/** What one rule saw, and the points it is worth before doubling. */
interface Vote {
  readonly rule: Rule;
  readonly value: number;
  readonly weight: number;
  readonly sign: number;
  readonly is_trend: boolean;
}

function vote(readings: BiasReadings): readonly Vote[] {
  const { close, sma50, sma200, ema12, ema26, macd_hist, rsi14, donchian_mid } = readings;
  const bySign = (rule: Rule, value: number, weight: number): Vote => ({
    rule,
    value,
    weight,
    sign: Math.sign(value),
    is_trend: false,
  });
  const byTrend = (rule: Rule, value: number, weight: number): Vote => ({
    ...bySign(rule, value, weight),
    is_trend: true,
  });
  return [
    byTrend("close_above_sma200", close - sma200, 2),
    byTrend("sma50_above_sma200", sma50 - sma200, 2),
    byTrend("ema12_above_ema26", ema12 - ema26, 1),
    bySign("macd_histogram", macd_hist, 1),
    { rule: "rsi14", value: rsi14, weight: 1, sign: rsi14 > 55 ? 1 : rsi14 < 45 ? -1 : 0, is_trend: false },
    bySign("donchian20_mid", close - donchian_mid, 1),
  ];
}

const getLabel = (score: number): Label =>
  score >= BIAS_FROM ? "bullish" : score <= -BIAS_FROM ? "bearish" : "neutral";

export interface BiasReading extends Omit<AnaliseData["bias"], "points" | "score"> {
  readonly score: number;
  readonly points: readonly { readonly rule: Rule; readonly value: number; readonly points: number }[];
}

/**
 * Points for and against, over the most there can be. A strong trend (ADX above 25) makes the three trend rules count
 * twice, in the sum and in the most there can be, so that the score stays within -1 and 1.
 */
export function computeBias(readings: BiasReadings): BiasReading {
  const trend_doubled = readings.adx14 > ADX_TREND;
  const votes = vote(readings).map(({ rule, value, weight, sign, is_trend }) => {
    const most = is_trend && trend_doubled ? 2 * weight : weight;
    return { rule, value, most, points: sign === 0 ? 0 : sign * most };
  });
  const max_points = votes.reduce((sum, { most }) => sum + most, 0);
  const score = votes.reduce((sum, { points }) => sum + points, 0) / max_points;
  return {
    label: getLabel(score),
    score,
    max_points,
    trend_doubled,
    points: votes.map(({ rule, value, points }) => ({ rule, value, points })),
  };
}

/** What is remarkable, but no part of the score. */
export function getFlags({ rsi14, close, bb_lower, bb_upper }: BiasReadings): Flag[] {
  const flags: Flag[] = [];
  if (rsi14 >= 70) flags.push("overbought");
  if (rsi14 <= 30) flags.push("oversold");
  if (close > bb_upper) flags.push("above_upper_band");
  if (close < bb_lower) flags.push("below_lower_band");
  return flags;
}
