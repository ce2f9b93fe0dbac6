import { mean, quantile } from "simple-statistics";

/** A spread below this share of the largest absolute value is the noise of floating point, not movement. */
const SPREAD_MIN = 1e-12;

/** Whether the values do not move, as far as floating point can tell. Also true of none and of one value. */
export function isConstant(values: readonly number[]): boolean {
  let [low, high, largest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
    if (Math.abs(value) > largest) largest = Math.abs(value);
  }
  return !(high - low > SPREAD_MIN * largest);
}

export const isFiniteSeries = (values: readonly number[]): boolean => values.every(Number.isFinite);

/** Mean of (value - mean) to the power. */
function getCentralMoment(values: readonly number[], power: number): number {
  const middle = mean([...values]);
  let sum = 0;
  for (const value of values) sum += (value - middle) ** power;
  return sum / values.length;
}

/** Standard deviation of the whole population (divided by n), in the unit of the values. Null without values. */
export const getPopulationSigma = (values: readonly number[]): number | null =>
  values.length === 0 || !isFiniteSeries(values) ? null : Math.sqrt(getCentralMoment(values, 2));

function getStandardMoment(values: readonly number[], power: number): number | null {
  if (!isFiniteSeries(values) || isConstant(values)) return null;
  const sigma = Math.sqrt(getCentralMoment(values, 2));
  return getCentralMoment(values, power) / sigma ** power;
}

/** Population skewness m3 / m2^1.5 (Fisher-Pearson, not corrected for bias). Null for values that do not move. */
export const getSkewness = (values: readonly number[]): number | null => getStandardMoment(values, 3);

/** Population excess kurtosis m4 / m2^2 - 3: 0 for a normal distribution. Null for values that do not move. */
export function getExcessKurtosis(values: readonly number[]): number | null {
  const kurtosis = getStandardMoment(values, 4);
  return kurtosis === null ? null : kurtosis - 3;
}

/**
 * Quantile by linear interpolation at (n - 1) p of the sorted values: type 7 of Hyndman and Fan, The American
 * Statistician 50 (1996). Null without values. `p` lies within 0 and 1.
 */
export const getQuantile7 = (values: readonly number[], p: number): number | null =>
  values.length === 0 || !isFiniteSeries(values) || !(p >= 0 && p <= 1) ? null : quantile([...values], p);
