/** The standard normal quantile of 97.5 %. */
const Z_95 = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson's 95 % score interval of a share of k in n, 0 to 1 (Wilson, J. American Statistical Association 22, 1927).
 * Null without trials.
 * @throws RangeError unless 0 <= k <= n.
 */
export function getWilsonInterval(k: number, n: number): Interval | null {
  if (!(k >= 0 && k <= n)) throw new RangeError(`${k} of ${n}`);
  if (n === 0) return null;
  const share = k / n;
  const square = Z_95 * Z_95;
  const centre = (share + square / (2 * n)) / (1 + square / n);
  const half = (Z_95 * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n))) / (1 + square / n);
  // Exact at the ends, where rounding would leave a trace.
  return { low: k === 0 ? 0 : centre - half, high: k === n ? 1 : centre + half };
}

/**
 * 95 % interval of a correlation by Fisher's z (Metron 1, 1921): tanh(atanh r +- 1.96 / sqrt(n - 3)). Null with 3 pairs
 * or fewer.
 * @throws RangeError for r outside -1 to 1.
 */
export function getFisherInterval(r: number, n: number): Interval | null {
  if (!(r >= -1 && r <= 1)) throw new RangeError(`a correlation of ${r}`);
  if (n <= 3) return null;
  const half = Z_95 / Math.sqrt(n - 3);
  return { low: Math.tanh(Math.atanh(r) - half), high: Math.tanh(Math.atanh(r) + half) };
}

/**
 * p values adjusted for the number of tests, in the order given: with the smallest first, the largest so far of
 * (m - rank) x p, at most 1 (Holm, Scandinavian J. Statistics 6, 1979). An adjusted value of at most 5 % is significant
 * with a 5 % chance of even one false finding among all tests.
 */
export function adjustHolm(p_values: readonly number[]): number[] {
  const order = p_values.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(p_values.length).fill(1);
  let largest = 0;
  for (const [rank, { p, index }] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (p_values.length - rank) * p));
    adjusted[index] = largest;
  }
  return adjusted;
}
