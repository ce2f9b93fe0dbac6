/** A rate at a number of business days, percent a year of 252. */
export interface CurvePoint {
  readonly du: number;
  readonly rate: number;
}

/** Business days of a year, by the convention of Brazil's markets. */
export const YEAR_DU = 252;

const growthOf = ({ du, rate }: CurvePoint): number => (1 + rate / 100) ** (du / YEAR_DU);
const toRate = (growth: number, du: number): number => (growth ** (YEAR_DU / du) - 1) * 100;

/** Rates between vertices. Vertices in ascending order of `du`, each once. */
export interface RateCurve {
  readonly points: readonly CurvePoint[];
  /** Percent a year; null after the last vertex. */
  rateAt(du: number): number | null;
  /** Growth of 1 until then; null after the last vertex. */
  growthAt(du: number): number | null;
  /** The rate between two terms, percent a year; null where either is unknown. */
  forward(from: number, to: number): number | null;
}

/**
 * Flat-forward interpolation, base 252: between two vertices the overnight forward is constant, so the logarithm of the
 * growth factor is linear in business days (the convention of B3's reference rates and of ANBIMA's curves). Nothing is
 * extrapolated beyond the last vertex; before the first its rate holds, unless `reaches_back` is false.
 */
export function createFlatForward(
  points: readonly CurvePoint[],
  { reaches_back = true }: { readonly reaches_back?: boolean } = {},
): RateCurve {
  const growth = points.map(growthOf);
  function growthAt(du: number): number | null {
    const [first] = points;
    if (!first || du < 0) return null;
    if (du === 0) return 1;
    if (du < first.du && !reaches_back) return null;
    if (du <= first.du) return growthOf({ du, rate: first.rate });
    const right = points.findIndex((point) => point.du >= du);
    const [a, b] = [points[right - 1], points[right]];
    const [below, above] = [growth[right - 1], growth[right]];
    if (!a || !b || below === undefined || above === undefined) return null;
    return below * (above / below) ** ((du - a.du) / (b.du - a.du));
  }
  return {
    points,
    growthAt,
    rateAt(du) {
      const [first] = points;
      if (du <= 0 || !first || (du < first.du && !reaches_back)) return null;
      if (du <= first.du) return first.rate;
      const known = points.find((point) => point.du === du);
      if (known) return known.rate;
      const grown = growthAt(du);
      return grown === null ? null : toRate(grown, du);
    },
    forward(from, to) {
      const [near, far] = [growthAt(from), growthAt(to)];
      return near === null || far === null || to <= from ? null : toRate(far / near, to - from);
    },
  };
}

/** Inflation that makes a nominal and a real rate equal, percent (Fisher). */
export const breakevenOf = (nominal: number, real: number): number =>
  ((1 + nominal / 100) / (1 + real / 100) - 1) * 100;
