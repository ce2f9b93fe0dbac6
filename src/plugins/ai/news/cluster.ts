/** Words that say nothing about a headline's subject. */
const STOP_WORDS = new Set(
  "the a an of to in on for and as at by with from is are be its it this that after over new says say will".split(" "),
);
const SAME_RATIO = 0.6;
const WINDOW_MS = 48 * 3_600_000;

/** The words a headline is compared by: without the publisher's name at its end, punctuation and small words. */
export const wordsOf = (title: string): ReadonlySet<string> =>
  new Set(
    title
      .toLowerCase()
      .replace(/\s[-|–]\s[^-|–]{1,40}$/u, "")
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .split(" ")
      .filter((word) => word !== "" && !STOP_WORDS.has(word)),
  );

/** Shared words over all words (Jaccard 1901); 0 of two titles without any. */
export function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

/**
 * Headlines of one story: each joins the first cluster that holds one similar to 0.6 and at most 48 h older (single
 * link, oldest first). Clusters in the order of their oldest item, items oldest first.
 */
export function cluster<T extends { readonly title: string; readonly at_ms: number }>(items: readonly T[]): T[][] {
  const clusters: { readonly items: T[]; readonly words: ReadonlySet<string>[] }[] = [];
  for (const item of items.toSorted((a, b) => a.at_ms - b.at_ms)) {
    const words = wordsOf(item.title);
    const found = clusters.find((one) =>
      one.words.some(
        (other, index) =>
          item.at_ms - (one.items[index]?.at_ms ?? 0) <= WINDOW_MS && similarity(other, words) >= SAME_RATIO,
      ),
    );
    if (found) {
      found.items.push(item);
      found.words.push(words);
    } else clusters.push({ items: [item], words: [words] });
  }
  return clusters.map((one) => one.items);
}
