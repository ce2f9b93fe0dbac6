import { type CurvePoint, YEAR_DU } from "./flat-forward.ts";

/** Parameters of Svensson's curve: levels in percent, decays per year. */
export interface NSSFit {
  readonly beta: [number, number, number, number];
  readonly lambda: [number, number];
  readonly rmse_bps: number;
  readonly max_bps: number;
  readonly n: number;
}

const VERTICES_MIN = 8;
const GRID_SIZE = 40;
const [GRID_FROM, GRID_TO] = [0.05, 5];
/** Decays closer than this cannot be distinguished. */
const GRID_APART = 4;
/** A fit must be better by this much, so that the first of equals stays. */
const BETTER_BY = 1e-12;
const PIVOT_MIN = 1e-12;

/** 40 decays, evenly spaced in their logarithm. */
const NSS_GRID: readonly number[] = Array.from(
  { length: GRID_SIZE },
  (_, index) => GRID_FROM * (GRID_TO / GRID_FROM) ** (index / (GRID_SIZE - 1)),
);

/** (1 - e^-x) / x, the share of a decaying forward rate in the spot rate. */
const slopeOf = (x: number): number => (x === 0 ? 1 : -Math.expm1(-x) / x);
const humpOf = (x: number): number => slopeOf(x) - Math.exp(-x);

/** The rate of a fitted curve, percent a year (Svensson, NBER working paper 4871, 1994). */
export function evaluateNSS({ beta, lambda }: Pick<NSSFit, "beta" | "lambda">, du: number): number {
  const t = du / YEAR_DU;
  const [x1, x2] = [lambda[0] * t, lambda[1] * t];
  return beta[0] + beta[1] * slopeOf(x1) + beta[2] * humpOf(x1) + beta[3] * humpOf(x2);
}

/** Gaussian elimination with row pivoting, in place; null where the rank is below 4. */
function solve(a: Float64Array[], scale: number): [number, number, number, number] | null {
  const at = (row: number, column: number): number => a[row]?.[column] ?? 0;
  for (let column = 0; column < 4; column++) {
    let best = column;
    for (let row = column + 1; row < 4; row++) {
      if (Math.abs(at(row, column)) > Math.abs(at(best, column))) best = row;
    }
    const [pivot, here] = [a[best], a[column]];
    if (!pivot || !here || Math.abs(pivot[column] ?? 0) < PIVOT_MIN * scale) return null;
    a[best] = here;
    a[column] = pivot;
    for (let row = column + 1; row < 4; row++) {
      const target = a[row];
      const factor = at(row, column) / at(column, column);
      if (target) for (let k = column; k < 5; k++) target[k] = (target[k] ?? 0) - factor * (pivot[k] ?? 0);
    }
  }
  const x: [number, number, number, number] = [0, 0, 0, 0];
  for (let row = 3; row >= 0; row--) {
    let rest = at(row, 4);
    for (let k = row + 1; k < 4; k++) rest -= at(row, k) * (x[k] ?? 0);
    x[row] = rest / at(row, row);
  }
  return x;
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] ?? 0) * (b[k] ?? 0);
  return sum;
};

/**
 * Fits Svensson's curve to vertices: for every pair of decays of a fixed grid the levels follow by ordinary least
 * squares; the pair with the smallest sum of squares stays. Deterministic. Null below 8 vertices, or where none of the
 * pairs has full rank.
 */
export function fitNSS(points: readonly CurvePoint[]): NSSFit | null {
  const n = points.length;
  if (n < VERTICES_MIN) return null;
  const y = Float64Array.from(points, ({ rate }) => rate);
  const ones = new Float64Array(n).fill(1);
  const slopes = NSS_GRID.map((decay) => Float64Array.from(points, ({ du }) => slopeOf((decay * du) / YEAR_DU)));
  const humps = NSS_GRID.map((decay) => Float64Array.from(points, ({ du }) => humpOf((decay * du) / YEAR_DU)));
  // Products that do not depend on the pair, once.
  const of = (list: readonly Float64Array[], other: Float64Array) => list.map((one) => dot(one, other));
  const [sum_y, yy] = [dot(ones, y), dot(y, y)];
  const [slope_1, hump_1, slope_y, hump_y] = [of(slopes, ones), of(humps, ones), of(slopes, y), of(humps, y)];
  let best: { sse: number; beta: [number, number, number, number]; pair: [number, number] } | null = null;
  for (let i = GRID_APART; i < GRID_SIZE; i++) {
    const [slope, hump] = [slopes[i], humps[i]];
    if (!slope || !hump) continue;
    const [ss, sh, hh] = [dot(slope, slope), dot(slope, hump), dot(hump, hump)];
    const [s1, h1, sy, hy] = [slope_1[i] ?? 0, hump_1[i] ?? 0, slope_y[i] ?? 0, hump_y[i] ?? 0];
    for (let j = 0; j <= i - GRID_APART; j++) {
      const second = humps[j];
      if (!second) continue;
      const [k1, ky, sk, hk, kk] = [
        hump_1[j] ?? 0,
        hump_y[j] ?? 0,
        dot(slope, second),
        dot(hump, second),
        dot(second, second),
      ];
      const beta = solve(
        [
          Float64Array.of(n, s1, h1, k1, sum_y),
          Float64Array.of(s1, ss, sh, sk, sy),
          Float64Array.of(h1, sh, hh, hk, hy),
          Float64Array.of(k1, sk, hk, kk, ky),
        ],
        n,
      );
      if (!beta) continue;
      const sse = yy - (beta[0] * sum_y + beta[1] * sy + beta[2] * hy + beta[3] * ky);
      if (best === null || sse < best.sse - BETTER_BY) best = { sse, beta, pair: [i, j] };
    }
  }
  if (best === null) return null;
  const { beta, pair } = best;
  const lambda: [number, number] = [NSS_GRID[pair[0]] ?? 0, NSS_GRID[pair[1]] ?? 0];
  const errors = points.map(({ du, rate }) => Math.abs(evaluateNSS({ beta, lambda }, du) - rate) * 100);
  return {
    beta,
    lambda,
    rmse_bps: Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / n),
    max_bps: Math.max(...errors),
    n,
  };
}
