import { correlateDirections, getAverageRanks, getCorrelationPValue, getDirection } from "./correlation.ts";
import { adjustHolm, getFisherInterval } from "./intervals.ts";
import { getLargestEigenvalue, getLedoitWolf, toCorrelation } from "./matrix.ts";

/** Row by row; null where a series does not move. */
export type NullableMatrix = readonly (readonly (number | null)[])[];

export interface SeriesPair {
  /** Index of the series. */
  readonly i: number;
  readonly j: number;
  readonly pearson: number;
  /** p value adjusted for the number of pairs (Holm). */
  readonly p_holm: number;
}

export interface CorrelationAnalysis {
  /** Values per series. */
  readonly n: number;
  readonly pearson: NullableMatrix;
  readonly pearson_p: NullableMatrix;
  /** 95 % interval by Fisher's z. */
  readonly ci_lo: NullableMatrix;
  readonly ci_hi: NullableMatrix;
  readonly spearman: NullableMatrix;
  readonly spearman_p: NullableMatrix;
  /** Correlations of the covariance shrunk by Ledoit and Wolf. */
  readonly shrunk: NullableMatrix;
  readonly shrinkage: number | null;
  /** Mean of the correlations off the diagonal. */
  readonly mean_corr: number | null;
  /** Largest eigenvalue of the correlations over their number: the share of the first principal component. */
  readonly pc1_share: number | null;
  /** Every pair of series that move, once. */
  readonly pairs: readonly SeriesPair[];
}

type Directions = readonly (Float64Array | null)[];

function correlateAll(directions: Directions): (number | null)[][] {
  const matrix = directions.map(() => new Array<number | null>(directions.length).fill(null));
  for (const [i, x] of directions.entries()) {
    for (const [j, y] of directions.slice(0, i + 1).entries()) {
      const value = x && y ? (i === j ? 1 : correlateDirections(x, y)) : null;
      (matrix[i] as (number | null)[])[j] = value;
      (matrix[j] as (number | null)[])[i] = value;
    }
  }
  return matrix;
}

/** The same function of every cell, computed once per pair of a symmetric matrix. */
function mapSymmetric(matrix: NullableMatrix, map: (value: number) => number | null): (number | null)[][] {
  const mapped = matrix.map((row) => [...row]);
  for (const [i, row] of matrix.entries()) {
    for (const [j, value] of row.slice(0, i + 1).entries()) {
      const result = value === null ? null : map(value);
      (mapped[i] as (number | null)[])[j] = result;
      (mapped[j] as (number | null)[])[i] = result;
    }
  }
  return mapped;
}

const isKept = (value: number | null | undefined): value is number => value !== null && value !== undefined;

/** Without the rows and columns that are null. */
const compact = (matrix: NullableMatrix, moves: readonly boolean[]): number[][] =>
  matrix
    .filter((_, i) => moves[i])
    .map((row) => row.filter((value, j): value is number => moves[j] === true && isKept(value)));

/** Shrinks what moves, on values of mean 0 and population deviation 1, and puts the rest back as null. */
function shrink(
  directions: Directions,
  n: number,
): { readonly shrunk: NullableMatrix; readonly shrinkage: number | null } {
  const kept = directions.flatMap((direction, index) => (direction ? [{ direction, index }] : []));
  const shrunk = directions.map(() => new Array<number | null>(directions.length).fill(null));
  if (kept.length === 0) return { shrunk, shrinkage: null };
  // A direction has length 1: times the root of n it has a population deviation of 1.
  const { covariance, shrinkage } = getLedoitWolf(
    kept.map(({ direction }) => Array.from(direction, (value) => value * Math.sqrt(n))),
  );
  const correlation = toCorrelation(covariance);
  for (const [a, { index: i }] of kept.entries()) {
    for (const [b, { index: j }] of kept.entries()) (shrunk[i] as (number | null)[])[j] = correlation[a]?.[b] ?? null;
  }
  return { shrunk, shrinkage };
}

function getPairs(pearson: NullableMatrix, pearson_p: NullableMatrix): SeriesPair[] {
  const found = pearson.flatMap((row, i) =>
    row.slice(i + 1).flatMap((value, offset) => {
      const p = pearson_p[i]?.[i + 1 + offset];
      return isKept(value) && isKept(p) ? [{ i, j: i + 1 + offset, pearson: value, p }] : [];
    }),
  );
  const adjusted = adjustHolm(found.map(({ p }) => p));
  return found.map(({ i, j, pearson: value }, index) => ({ i, j, pearson: value, p_holm: adjusted[index] ?? 1 }));
}

/**
 * How series of the same days move together: linear and rank correlation with two-sided p values and 95 % intervals, a
 * noise-reduced matrix, and summaries. A series that does not move has null everywhere.
 * @throws RangeError for series of different length.
 */
export function analyseCorrelations(series: readonly (readonly number[])[]): CorrelationAnalysis {
  const n = series[0]?.length ?? 0;
  if (!series.every(({ length }) => length === n)) throw new RangeError("every series has the same days");
  const directions = series.map(getDirection);
  const ranked = series.map((values, index) => (directions[index] ? getDirection(getAverageRanks(values)) : null));
  const pearson = correlateAll(directions);
  const spearman = correlateAll(ranked);
  const getP = (r: number) => getCorrelationPValue(r, n);
  const pearson_p = mapSymmetric(pearson, getP);
  const moves = directions.map((direction) => direction !== null);
  const known = compact(pearson, moves);
  const pairs = getPairs(pearson, pearson_p);
  const largest = getLargestEigenvalue(known);
  return {
    n,
    pearson,
    pearson_p,
    ci_lo: mapSymmetric(pearson, (r) => getFisherInterval(r, n)?.low ?? null),
    ci_hi: mapSymmetric(pearson, (r) => getFisherInterval(r, n)?.high ?? null),
    spearman,
    spearman_p: mapSymmetric(spearman, getP),
    ...shrink(directions, n),
    mean_corr: pairs.length === 0 ? null : pairs.reduce((sum, pair) => sum + pair.pearson, 0) / pairs.length,
    pc1_share: largest === null ? null : largest / known.length,
    pairs,
  };
}
