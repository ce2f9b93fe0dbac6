import { distance } from "fastest-levenshtein";

/**
 * The candidate nearest to `word` by edit distance, or undefined when none is near enough to be a likely slip
 * (more than 3 edits, or more than half of the word).
 */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let best_distance = Math.min(3, Math.ceil(word.length / 2)) + 1;
  for (const candidate of candidates) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < best_distance) {
      best = candidate;
      best_distance = edits;
    }
  }
  return best;
}
