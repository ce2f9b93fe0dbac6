import {
  medianAbsoluteDeviation as deviationOfSome,
  mean,
  median as medianOfSome,
  sampleStandardDeviation,
} from "simple-statistics";

/** Crypto trades every day. */
const DAYS_PER_YEAR = 365;

/** The middle value; of an even number of values the mean of the two in the middle. Null without values. */
export const median = (values: readonly number[]): number | null =>
  values.length === 0 ? null : medianOfSome([...values]);

/** Median absolute deviation from the median, in the unit of the values, not scaled. Null when there are no values. */
export const mad = (values: readonly number[]): number | null =>
  values.length === 0 ? null : deviationOfSome([...values]);

/**
 * Percentile rank, 0 to 100: 100 x (count(h < value) + count(h = value) / 2) / count(h). `history` holds the value
 * itself too. Null when the history is empty. Definition: the "mean" kind of scipy.stats.percentileofscore.
 * @example getPercentileRank([1, 2, 3, 4], 4) // 87.5
 */
export function getPercentileRank(history: readonly number[], value: number): number | null {
  if (history.length === 0) return null;
  const below = history.filter((one) => one < value).length;
  const equal = history.filter((one) => one === value).length;
  return (100 * (below + equal / 2)) / history.length;
}

/** Simple moving average: mean of the last `count` closes, the current one included. Null when there are fewer. */
export const getMovingAverage = (closes: readonly number[], count: number): number | null =>
  count < 1 || closes.length < count ? null : mean(closes.slice(-count));

/**
 * Realised volatility of daily closes, a fraction per year: sample standard deviation of the last `count` logarithmic
 * returns x sqrt(365). Null with fewer than `count` + 1 closes, or when a close among them is not above 0.
 */
export function getRealisedVolatility(closes: readonly number[], count: number): number | null {
  if (count < 2 || closes.length < count + 1) return null;
  const used = closes.slice(-(count + 1));
  if (!used.every((close) => close > 0)) return null;
  const returns = used.slice(1).map((close, index) => Math.log(close / (used[index] ?? close)));
  return sampleStandardDeviation(returns) * Math.sqrt(DAYS_PER_YEAR);
}

/**
 * A reading of the series as it was on each of its last `count` days, oldest first: `read` is given the closes up to
 * and including that day. Null when the series is shorter than `count` or one of the readings is null.
 */
export function getTrailing(
  closes: readonly number[],
  count: number,
  read: (until: readonly number[]) => number | null,
): number[] | null {
  if (count < 1 || closes.length < count) return null;
  const readings: number[] = [];
  for (let end = closes.length - count + 1; end <= closes.length; end += 1) {
    const reading = read(closes.slice(0, end));
    if (reading === null) return null;
    readings.push(reading);
  }
  return readings;
}
