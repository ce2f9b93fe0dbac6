export interface Weighted {
  readonly value: number;
  /** Above 0. */
  readonly weight: number;
}

/** Sums of weights such as 0.7 are equal within this share of the whole. */
const TOLERANCE = 1e-9;

/**
 * Weighted median: the values sorted, the first one whose cumulative weight exceeds half of the whole; where it is
 * exactly half, the mean of that value and the next. Null when there are no values.
 * @example weightedMedian([{ value: 1, weight: 1 }, { value: 5, weight: 1 }]) // 3
 */
export function weightedMedian(items: readonly Weighted[]): number | null {
  const sorted = [...items].sort((a, b) => a.value - b.value);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  const half = total / 2;
  let cumulative = 0;
  for (const [index, { value, weight }] of sorted.entries()) {
    cumulative += weight;
    if (Math.abs(cumulative - half) <= TOLERANCE * total) return (value + (sorted[index + 1]?.value ?? value)) / 2;
    if (cumulative > half) return value;
  }
  return null;
}

/** Makes the median absolute deviation an estimate of the standard deviation of normal values. */
const MAD_TO_SIGMA = 1.4826;
/** The same for the mean absolute deviation: the square root of pi / 2. */
const MEAN_DEVIATION_TO_SIGMA = 1.2533;

/** Where the bulk of some values lies and how wide it is, in their own unit. */
export interface RobustFit {
  readonly median: number;
  /** Above 0. */
  readonly scale: number;
}

function getSortedMedian(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Median of the distances from `median`. In sorted values they fall on the left side and rise on the right, so the two
 * sides are merged instead of sorted again.
 */
function getDeviationMedian(sorted: Float64Array, median: number): number {
  const count = sorted.length;
  let right = count >> 1;
  while (right > 0 && (sorted[right - 1] ?? 0) >= median) right -= 1;
  let left = right - 1;
  let before = 0;
  let latest = 0;
  for (let taken = 0; taken <= count >> 1; taken += 1) {
    const below = left >= 0 ? median - (sorted[left] ?? 0) : Number.POSITIVE_INFINITY;
    const above = right < count ? (sorted[right] ?? 0) - median : Number.POSITIVE_INFINITY;
    before = latest;
    latest = Math.min(below, above);
    if (below <= above) left -= 1;
    else right += 1;
  }
  return count % 2 === 1 ? latest : (before + latest) / 2;
}

/**
 * Median and robust standard deviation: 1.4826 x median absolute deviation, or, when at least half of the values are
 * the same, 1.2533 x mean absolute deviation from the median. Null without values, for constant ones, and when one is
 * not finite. Source: Iglewicz and Hoaglin, How to Detect and Handle Outliers (1993).
 */
export function fitRobust(values: readonly number[]): RobustFit | null {
  // Typed arrays sort by number, without a comparison function: several times faster.
  const sorted = new Float64Array(values);
  if (sorted.length === 0) return null;
  const median = getSortedMedian(sorted.sort());
  let sum = 0;
  for (let index = 0; index < sorted.length; index += 1) sum += Math.abs((sorted[index] ?? 0) - median);
  // One value that is not finite makes the sum so.
  if (!Number.isFinite(sum)) return null;
  const mean = sum / sorted.length;
  const mad = getDeviationMedian(sorted, median);
  const scale = mad > 0 ? MAD_TO_SIGMA * mad : MEAN_DEVIATION_TO_SIGMA * mean;
  return scale > 0 ? { median, scale } : null;
}

/**
 * Robust z: how many robust standard deviations `x` lies off the median of `values`. Null when there is no such scale.
 */
export function getRobustZ(values: readonly number[], x: number): number | null {
  const fit = fitRobust(values);
  return fit === null || !Number.isFinite(x) ? null : (x - fit.median) / fit.scale;
}
