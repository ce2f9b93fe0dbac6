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
