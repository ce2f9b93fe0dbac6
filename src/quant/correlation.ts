import { getStudentTwoSided } from "./distributions.ts";
import { isConstant, isFiniteSeries } from "./moments.ts";

/** A series less its mean, scaled to length 1, so that a correlation is a sum of products. */
type Direction = Float64Array;

/** Null for a series that does not move or holds something that is no number. */
export function getDirection(values: readonly number[]): Direction | null {
  if (values.length < 2 || !isFiniteSeries(values) || isConstant(values)) return null;
  const direction = Float64Array.from(values);
  let mean = 0;
  for (const value of direction) mean += value / direction.length;
  let square = 0;
  for (const value of direction) square += (value - mean) ** 2;
  const length = Math.sqrt(square);
  return direction.map((value) => (value - mean) / length);
}

/** Correlation of two directions of equal length, -1 to 1. */
export function correlateDirections(x: Direction, y: Direction): number {
  let sum = 0;
  for (let index = 0; index < x.length; index += 1) sum += (x[index] ?? 0) * (y[index] ?? 0);
  return Math.max(-1, Math.min(1, sum));
}

function assertPairs(x: readonly number[], y: readonly number[]): void {
  if (x.length !== y.length) throw new RangeError(`${x.length} values against ${y.length}`);
}

/**
 * Pearson's product-moment correlation, -1 to 1. Null with fewer than two pairs, when one series does not move, or when
 * a value is no finite number.
 * @throws RangeError for series of different length.
 */
export function getPearson(x: readonly number[], y: readonly number[]): number | null {
  assertPairs(x, y);
  const [a, b] = [getDirection(x), getDirection(y)];
  return a && b ? correlateDirections(a, b) : null;
}

/** Ranks from 1 in the order of the values given; equal values share the mean of their ranks. */
export function getAverageRanks(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const ranks = new Array<number>(values.length).fill(0);
  let start = 0;
  while (start < order.length) {
    let end = start;
    while (end + 1 < order.length && order[end + 1]?.value === order[start]?.value) end += 1;
    for (const { index } of order.slice(start, end + 1)) ranks[index] = (start + end) / 2 + 1;
    start = end + 1;
  }
  return ranks;
}

/**
 * Spearman's rank correlation, -1 to 1: Pearson's of the average ranks. Null as in getPearson.
 * @throws RangeError for series of different length.
 */
export function getSpearman(x: readonly number[], y: readonly number[]): number | null {
  assertPairs(x, y);
  if (!isFiniteSeries(x) || !isFiniteSeries(y) || isConstant(x) || isConstant(y)) return null;
  return getPearson(getAverageRanks(x), getAverageRanks(y));
}

/**
 * Two-sided p value of a correlation of n pairs against none, 0 to 1: t = r sqrt((n - 2) / (1 - r^2)) with n - 2
 * degrees of freedom. Exact for Pearson's of normal values, the usual approximation for Spearman's. Null with fewer
 * than 3.
 */
export function getCorrelationPValue(r: number, n: number): number | null {
  if (n < 3) return null;
  const rest = 1 - r * r;
  return rest <= 0 ? 0 : getStudentTwoSided(r * Math.sqrt((n - 2) / rest), n - 2);
}

/**
 * Slope of the ordinary least squares line of `y` over `x` (with intercept): the beta of y to x. Null with fewer than
 * two pairs, when x does not move, or when a value is no finite number.
 * @throws RangeError for series of different length.
 */
export function getOLSBeta(x: readonly number[], y: readonly number[]): number | null {
  assertPairs(x, y);
  if (x.length < 2 || !isFiniteSeries(x) || !isFiniteSeries(y) || isConstant(x)) return null;
  const mean_x = x.reduce((sum, value) => sum + value, 0) / x.length;
  const mean_y = y.reduce((sum, value) => sum + value, 0) / y.length;
  let [both, square] = [0, 0];
  for (const [index, value] of x.entries()) {
    both += (value - mean_x) * ((y[index] ?? mean_y) - mean_y);
    square += (value - mean_x) ** 2;
  }
  return both / square;
}
