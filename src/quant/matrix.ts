import { isFiniteSeries } from "./moments.ts";

/** Rows of equal length. */
export type Matrix = readonly (readonly number[])[];

const at = (matrix: Matrix, row: number, column: number): number => matrix[row]?.[column] ?? Number.NaN;

/** Matrix times vector. */
export const multiply = (matrix: Matrix, vector: readonly number[]): number[] =>
  matrix.map((row) => row.reduce((sum, value, index) => sum + value * (vector[index] ?? Number.NaN), 0));

/** Sum of the products of two vectors. */
export const dot = (x: readonly number[], y: readonly number[]): number =>
  x.reduce((sum, value, index) => sum + value * (y[index] ?? Number.NaN), 0);

/** Each value of a covariance matrix divided by both standard deviations. Null where one of them is 0. */
export function toCorrelation(covariance: Matrix): (number | null)[][] {
  const sigmas = covariance.map((row, index) => Math.sqrt(row[index] ?? Number.NaN));
  return covariance.map((row, i) =>
    row.map((value, j) => {
      const scale = (sigmas[i] ?? 0) * (sigmas[j] ?? 0);
      if (!(scale > 0)) return null;
      return i === j ? 1 : Math.max(-1, Math.min(1, value / scale));
    }),
  );
}

/**
 * Covariance of log returns with exponential weights, per day squared: mean 0, weights lambda^age that sum to 1, the
 * newest return last (J.P. Morgan/Reuters, RiskMetrics Technical Document, 4th ed. 1996, section 5.2).
 * @param series one list of returns per asset, all of the same days.
 * @throws RangeError for lists of different length, without returns, or with a value that is no finite number.
 */
export function getEWMACovariance(series: Matrix, lambda = 0.94): number[][] {
  const length = series[0]?.length ?? 0;
  if (length === 0 || !series.every((one) => one.length === length && isFiniteSeries(one))) {
    throw new RangeError("every asset has a return of the same days");
  }
  if (!(lambda > 0 && lambda < 1)) throw new RangeError(`a decay of ${lambda}`);
  const total = (1 - lambda ** length) / (1 - lambda);
  const roots = Float64Array.from({ length }, (_, t) => Math.sqrt(lambda ** (length - 1 - t) / total));
  const weighted = series.map((one) => roots.map((root, t) => root * (one[t] ?? 0)));
  return getProducts(weighted);
}

/** Sums of products of each list with each other one. */
function getProducts(lists: readonly Float64Array[]): number[][] {
  const products = lists.map(() => new Array<number>(lists.length).fill(0));
  for (const [i, x] of lists.entries()) {
    for (const [j, y] of lists.slice(0, i + 1).entries()) {
      let sum = 0;
      for (let t = 0; t < x.length; t += 1) sum += (x[t] ?? 0) * (y[t] ?? 0);
      (products[i] as number[])[j] = sum;
      (products[j] as number[])[i] = sum;
    }
  }
  return products;
}

export interface Shrunk {
  readonly covariance: number[][];
  /** Share of the target in the mixture, 0 to 1. */
  readonly shrinkage: number;
}

/**
 * Covariance mixed with mean variance x identity in the share that minimises the expected squared error (Ledoit and
 * Wolf, J. Multivariate Analysis 88, 2004, section 3.3). The mean is taken to be 0.
 * @param series one list of standardised values (mean 0) per asset, all of the same days.
 * @throws RangeError for lists of different length or without values.
 */
export function getLedoitWolf(series: Matrix): Shrunk {
  const [count, length] = [series.length, series[0]?.length ?? 0];
  if (length === 0 || !series.every((one) => one.length === length && isFiniteSeries(one))) {
    throw new RangeError("every asset has a value of the same days");
  }
  const sample = getProducts(series.map((one) => Float64Array.from(one))).map((row) =>
    row.map((value) => value / length),
  );
  const level = sample.reduce((sum, row, index) => sum + (row[index] ?? 0), 0) / count;
  let [squares, distance] = [0, 0];
  for (const [i, row] of sample.entries()) {
    for (const [j, value] of row.entries()) {
      squares += value * value;
      distance += (value - (i === j ? level : 0)) ** 2;
    }
  }
  // The paper's b squared: mean squared distance of each day's x x' to the sample matrix, divided by the days.
  let fourth = 0;
  for (let t = 0; t < length; t += 1) {
    let norm = 0;
    for (const one of series) norm += (one[t] ?? 0) ** 2;
    fourth += norm * norm;
  }
  const error = Math.max(0, (fourth / length - squares) / length);
  const shrinkage = distance === 0 ? 0 : Math.min(1, error / distance);
  const covariance = sample.map((row, i) =>
    row.map((value, j) => (1 - shrinkage) * value + (i === j ? shrinkage * level : 0)),
  );
  return { covariance, shrinkage };
}

const SWEEPS_MAX = 60;

/** Turns rows and columns p and q so that their common value becomes 0 (Golub and Van Loan, section 8.5.2). */
function rotate(rows: readonly Float64Array[], p: number, q: number): void {
  const row_p = rows[p] as Float64Array;
  const row_q = rows[q] as Float64Array;
  const shared = row_p[q] ?? 0;
  if (shared === 0) return;
  const tau = ((row_q[q] ?? 0) - (row_p[p] ?? 0)) / (2 * shared);
  const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.sqrt(1 + tau * tau));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = t * c;
  for (let k = 0; k < rows.length; k += 1) {
    const a = row_p[k] ?? 0;
    const b = row_q[k] ?? 0;
    row_p[k] = c * a - s * b;
    row_q[k] = s * a + c * b;
  }
  for (let k = 0; k < rows.length; k += 1) {
    const row = rows[k] as Float64Array;
    const a = row[p] ?? 0;
    const b = row[q] ?? 0;
    row[p] = c * a - s * b;
    row[q] = s * a + c * b;
  }
}

/**
 * Eigenvalues of a symmetric matrix, largest first, by the cyclic method of Jacobi (Golub and Van Loan, Matrix
 * Computations, 4th ed., section 8.5).
 * @throws RangeError for a matrix that is not square, not symmetric or not finite.
 */
export function getEigenvalues(matrix: Matrix): number[] {
  const scale = Math.max(...matrix.map((row) => Math.max(...row.map(Math.abs))), 0);
  const sound = matrix.every(
    (row, i) =>
      row.length === matrix.length &&
      isFiniteSeries(row) &&
      row.every((value, j) => Math.abs(value - at(matrix, j, i)) <= 1e-9 * scale),
  );
  if (!sound) throw new RangeError("the matrix is not symmetric");
  const rows = matrix.map((row) => Float64Array.from(row));
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep += 1) {
    let rest = 0;
    for (const [p, row] of rows.entries())
      for (const value of row.subarray(p + 1)) rest = Math.max(rest, Math.abs(value));
    if (rest <= 1e-15 * scale) break;
    for (let p = 0; p < rows.length; p += 1) for (let q = p + 1; q < rows.length; q += 1) rotate(rows, p, q);
  }
  return rows.map((row, index) => row[index] ?? Number.NaN).sort((a, b) => b - a);
}

/** Largest eigenvalue of a symmetric matrix. Null for an empty one. Throws as getEigenvalues. */
export const getLargestEigenvalue = (matrix: Matrix): number | null => getEigenvalues(matrix)[0] ?? null;
