import { distance } from "fastest-levenshtein";

/**
 * The candidates nearest to `word` by edit distance, the nearest first, without those too far to be a likely slip (more
 * than 3 edits, or more than half of the word).
 */
export function listClosest(word: string, candidates: Iterable<string>, count_max: number): readonly string[] {
  const edits_max = Math.min(3, Math.ceil(word.length / 2));
  const wanted = word.toLowerCase();
  // Words that are of another length by more than that need no closer look: lists of tickers are long.
  return [...candidates]
    .filter((candidate) => Math.abs(candidate.length - word.length) <= edits_max)
    .map((candidate) => ({ candidate, edits: distance(wanted, candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= edits_max)
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, count_max)
    .map(({ candidate }) => candidate);
}

/** The nearest of them, or undefined when none is near enough. */
export const closest = (word: string, candidates: Iterable<string>): string | undefined =>
  listClosest(word, candidates, 1)[0];
