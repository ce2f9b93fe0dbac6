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

/** What a test needs to know of a side, so that one side of many tests is gone through once. */
export interface SampleMoments {
  readonly n: number;
  readonly mean: number;
  /** Divided by n - 1. */
  readonly variance: number;
  readonly is_constant: boolean;
}

/** Null with fewer than two values, or when one is no finite number. */
export function describeSample(values: readonly number[]): SampleMoments | null {
  if (!isUsable(values)) return null;
  const own = [...values];
  return { n: own.length, mean: mean(own), variance: sampleVariance(own), is_constant: isConstant(own) };
}

/**
 * Welch's t of the difference of two means with unequal variances (Biometrika 34, 1947), degrees of freedom by
 * Satterthwaite. Null with fewer than two values on a side, or when neither side moves.
 */
export const testWelch = (a: readonly number[], b: readonly number[]): TestResult | null =>
  testWelchOf(describeSample(a), describeSample(b));

/** The same of sides that were gone through before. */
export function testWelchOf(a: SampleMoments | null, b: SampleMoments | null): TestResult | null {
  if (!a || !b || (a.is_constant && b.is_constant)) return null;
  const [u, v] = [a.variance / a.n, b.variance / b.n];
  const t = (a.mean - b.mean) / Math.sqrt(u + v);
  const df = (u + v) ** 2 / (u ** 2 / (a.n - 1) + v ** 2 / (b.n - 1));
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
