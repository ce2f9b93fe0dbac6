/** What one word of the query is worth in a name. */
export interface Gain {
  /** From 0 to 1. */
  readonly similarity: number;
  readonly weight: number;
  /** The weight the word of the query has alone. */
  readonly own: number;
}

export interface NameTally {
  /** Begins the next word of the query. */
  next(): void;
  /** Adds what the word is worth in some names; of several words of a name the best counts. */
  add(names: Uint32Array, gain: Gain): void;
  /**
   * The names whose share of the query's weight passes, and a clean tally. A share is never too low: words used twice
   * are counted twice here.
   */
  take(total: number, passes: (share: number) => boolean): readonly number[];
}

/** Sums per name over the words of a query. Its memory is kept from query to query. */
export function createTally(size: number): NameTally {
  const found = new Float64Array(size);
  const weighed = new Float64Array(size);
  /** The words' own weights: what is left of the total was not found. */
  const covered = new Float64Array(size);
  const best = new Float64Array(size);
  const last_word = new Int32Array(size);
  let touched: number[] = [];
  let word = 0;
  return {
    next: () => {
      word++;
    },
    add(names, { similarity, weight, own }) {
      for (const name of names) {
        if (last_word[name] === word) {
          const before = best[name] ?? 0;
          if (similarity <= before) continue;
          found[name] = (found[name] ?? 0) + (similarity - before) * weight;
        } else {
          if (last_word[name] === 0) touched.push(name);
          found[name] = (found[name] ?? 0) + similarity * weight;
          weighed[name] = (weighed[name] ?? 0) + weight;
          covered[name] = (covered[name] ?? 0) + own;
          last_word[name] = word;
        }
        best[name] = similarity;
      }
    },
    take(total, passes) {
      const taken: number[] = [];
      for (const name of touched) {
        const all = (weighed[name] ?? 0) + Math.max(0, total - (covered[name] ?? 0));
        if (passes(Math.min(1, (found[name] ?? 0) / all))) taken.push(name);
        found[name] = 0;
        weighed[name] = 0;
        covered[name] = 0;
        best[name] = 0;
        last_word[name] = 0;
      }
      touched = [];
      word = 0;
      return taken;
    },
  };
}
