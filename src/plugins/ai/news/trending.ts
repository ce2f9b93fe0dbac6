import { median } from "intel-node/quant/stats";

export interface TrendingTerm {
  readonly term: string;
  readonly count_24h: number;
  /** Of the 14 days before, each counted the same way. */
  readonly median_14d: number;
  /** Null where the median is 0. */
  readonly ratio: number | null;
}

const DAY_MS = 86_400_000;
const DAYS = 14;
const TERMS_MAX = 10;
const COUNT_MIN = 2;

/**
 * Terms mentioned more often in the last 24 h than usual: each day is a window of 24 h that ends where the next begins,
 * counted back from now. Most unusual first; what is new altogether before that.
 */
export function findTrending(
  told: readonly { readonly at_ms: number; readonly terms: readonly string[] }[],
  now_ms: number,
): readonly TrendingTerm[] {
  const by_term = new Map<string, number[]>();
  for (const { at_ms, terms } of told) {
    const day = Math.floor((now_ms - at_ms) / DAY_MS);
    if (day < 0 || day > DAYS) continue;
    for (const term of new Set(terms)) {
      const counts = by_term.get(term) ?? Array<number>(DAYS + 1).fill(0);
      counts[day] = (counts[day] ?? 0) + 1;
      by_term.set(term, counts);
    }
  }
  return [...by_term]
    .map(([term, [count_24h = 0, ...before]]): TrendingTerm => {
      const median_14d = median(before) ?? 0;
      return { term, count_24h, median_14d, ratio: median_14d === 0 ? null : count_24h / median_14d };
    })
    .filter(({ count_24h, ratio }) => count_24h >= COUNT_MIN && (ratio === null || ratio > 1))
    .sort(
      (a, b) =>
        (b.ratio ?? Number.POSITIVE_INFINITY) - (a.ratio ?? Number.POSITIVE_INFINITY) ||
        b.count_24h - a.count_24h ||
        (a.term < b.term ? -1 : 1),
    )
    .slice(0, TERMS_MAX);
}
