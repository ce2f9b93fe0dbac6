import { mean, sampleVariance } from "simple-statistics";
import { getStudentTwoSided } from "./distributions.ts";
import { isConstant, isFiniteSeries } from "./moments.ts";

/** A test statistic and its two-sided p value. */
export interface TestResult {
  readonly t: number;
  readonly p: number;
}

const isUsable = (values: readonly number[]): boolean => values.length >= 2 && isFiniteSeries(values);

/**
 * Student's t of a mean against 0: mean / (s / sqrt(n)), n - 1 degrees of freedom. Null with fewer than two values,
 * or when they do not move.
 */
export function testMean(values: readonly number[]): TestResult | null {
  if (!isUsable(values) || isConstant(values)) return null;
  const t = mean([...values]) / Math.sqrt(sampleVariance([...values]) / values.length);
  return { t, p: getStudentTwoSided(t, values.length - 1) };
}

/**
 * Welch's t of the difference of two means with unequal variances (Biometrika 34, 1947), degrees of freedom by
 * Satterthwaite. Null with fewer than two values on a side, or when neither side moves.
 */
export function testWelch(a: readonly number[], b: readonly number[]): TestResult | null {
  if (!isUsable(a) || !isUsable(b) || (isConstant(a) && isConstant(b))) return null;
  const [u, v] = [sampleVariance([...a]) / a.length, sampleVariance([...b]) / b.length];
  const t = (mean([...a]) - mean([...b])) / Math.sqrt(u + v);
  const df = (u + v) ** 2 / (u ** 2 / (a.length - 1) + v ** 2 / (b.length - 1));
  return { t, p: getStudentTwoSided(t, df) };
}

/**
 * p values adjusted for the share of false findings, in the order given: of the ranks from each one on the smallest
 * p x m / rank, at most 1 (Benjamini and Hochberg, J. Royal Statistical Society B 57, 1995).
 */
export function adjustBenjaminiHochberg(p_values: readonly number[]): number[] {
  const order = p_values.map((p, index) => ({ p, index })).sort((a, b) => b.p - a.p);
  const adjusted = new Array<number>(p_values.length).fill(1);
  let smallest = 1;
  for (const [position, { p, index }] of order.entries()) {
    smallest = Math.min(smallest, (p * p_values.length) / (p_values.length - position));
    adjusted[index] = smallest;
  }
  return adjusted;
}
