import type { Fact, FactUnit, ListedFact } from "./facts.ts";
import type { TextFigure, WrittenFigure } from "./figures.ts";

/** Factor from each way of writing a figure to a fact's unit; a way that is not listed cannot show the fact. */
const FACTORS: Readonly<Record<FactUnit, Partial<Record<WrittenFigure, number>>>> = {
  usd: { bare: 1, usd: 1 },
  brl: { bare: 1, brl: 1 },
  eur: { bare: 1, eur: 1 },
  // A percentage and the distance between two percentages in points are different units.
  pct: { pct: 1 },
  pp: { pp: 1, bps: 0.01 },
  bps: { bps: 1, pp: 100 },
  ratio: { bare: 1, times: 1, pct: 0.01 },
  index: { bare: 1 },
  count: { bare: 1 },
  days: { bare: 1 },
  rank: { bare: 1, rank: 1 },
  number: { bare: 1 },
  // Days are read as dates, never as figures.
  day: {},
};
/** A figure may differ from its fact by at most this share of it, however coarsely it is rounded. */
const SHARE_MAX = 0.2;

/** The last bit of a double must not decide. */
const LAST_BITS = 1e-12;

/**
 * Whether a figure shows a fact, regardless of sign. A half may be rounded either way, and nothing is rounded to zero.
 */
function showsFact(figure: TextFigure, fact: Fact): boolean {
  const factor = FACTORS[fact.unit][figure.written];
  if (factor === undefined || figure.value === null) return false;
  const shown = figure.value * factor;
  const size = Math.abs(fact.value);
  if (shown === 0 || size === 0) return shown === size;
  const slack = figure.tolerance * factor * (1 + 1e-9) + size * LAST_BITS;
  return Math.abs(shown - size) <= slack && Math.abs(shown - size) <= SHARE_MAX * size;
}

/** An index of facts by way of writing and size, so that the look-up of a figure does not walk over all facts. */
export interface FactIndex {
  /** The facts a figure shows. */
  find(figure: TextFigure): readonly ListedFact[];
}

interface SizedFact {
  readonly size: number;
  readonly fact: ListedFact;
}

/** Sorts facts once for every way of writing. */
export function createFactIndex(facts: readonly ListedFact[]): FactIndex {
  const sorted = new Map<WrittenFigure, SizedFact[]>();
  for (const fact of facts) {
    for (const [written, factor] of Object.entries(FACTORS[fact.unit]) as [WrittenFigure, number][]) {
      const list = sorted.get(written) ?? [];
      if (list.length === 0) sorted.set(written, list);
      list.push({ size: Math.abs(fact.value) / factor, fact });
    }
  }
  for (const list of sorted.values()) list.sort((a, b) => a.size - b.size);
  return {
    find(figure) {
      const list = sorted.get(figure.written);
      if (!list || figure.value === null) return [];
      const slack = figure.tolerance * (1 + 1e-9) + figure.value * 2 * LAST_BITS;
      const [low, high] = [figure.value - slack, figure.value + slack];
      let [left, right] = [0, list.length];
      while (left < right) {
        const middle = (left + right) >> 1;
        if ((list[middle]?.size ?? 0) < low) left = middle + 1;
        else right = middle;
      }
      const found: ListedFact[] = [];
      for (let at = left; at < list.length && (list[at]?.size ?? 0) <= high; at += 1) {
        const fact = list[at]?.fact;
        if (fact && showsFact(figure, fact)) found.push(fact);
      }
      return found;
    },
  };
}
