import { getPercentileRank } from "intel-node/quant/stats";
import { sampleStandardDeviation } from "simple-statistics";

export const VOLATILITY_STATES = ["calm", "normal", "elevated", "extreme"] as const;
export type VolatilityState = (typeof VOLATILITY_STATES)[number];

const VOLATILITY_DAYS = 30;
const RANK_DAYS = 365;
const DAYS_PER_YEAR = 365;

/** How wildly a price moves, and how that compares with its last year. Not rounded. */
export interface VolatilityReading {
  /** Realised volatility of the last 30 daily log returns, a fraction per year. */
  readonly rv30: number;
  /** Its rank among the last 365 such readings, 0 to 100. */
  readonly percentile: number;
  readonly state: VolatilityState;
}

function getState(percentile: number): VolatilityState {
  if (percentile < 25) return "calm";
  if (percentile < 75) return "normal";
  return percentile < 90 ? "elevated" : "extreme";
}

/**
 * Sample standard deviation of the last 30 daily log returns x sqrt(365), and its rank among the 365 of the last 365
 * days. Null with fewer than 395 closes, or when one of them is not above 0.
 */
export function readVolatility(closes: readonly number[]): VolatilityReading | null {
  const used = closes.slice(-(RANK_DAYS + VOLATILITY_DAYS));
  if (used.length < RANK_DAYS + VOLATILITY_DAYS || !used.every((close) => close > 0)) return null;
  const returns: number[] = [];
  for (let day = 1; day < used.length; day += 1) returns.push(Math.log((used[day] ?? 0) / (used[day - 1] ?? 0)));
  const readings: number[] = [];
  for (let end = VOLATILITY_DAYS; end <= returns.length; end += 1) {
    readings.push(sampleStandardDeviation(returns.slice(end - VOLATILITY_DAYS, end)) * Math.sqrt(DAYS_PER_YEAR));
  }
  const rv30 = readings.at(-1);
  const percentile = rv30 === undefined ? null : getPercentileRank(readings, rv30);
  return rv30 === undefined || percentile === null ? null : { rv30, percentile, state: getState(percentile) };
}
