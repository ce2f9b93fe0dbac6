/** Titles whose words are similar to this degree (Jaccard: shared words / all words) are one story. */
const SAME_RATIO = 0.8;

export interface TokenTitle {
  readonly tokens: readonly string[];
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size < SAME_RATIO * large.size) return false;
  let shared = 0;
  for (const token of small) if (large.has(token)) shared += 1;
  return shared >= SAME_RATIO * (a.size + b.size - shared);
}

/**
 * The titles without repetitions: of those about the same story, the first stays. Sets that similar share one
 * of their first few words in any fixed order (prefix filter: Chaudhuri, Ganti and Kaushik, ICDE 2006), so each is
 * compared with a few others only.
 */
export function keepDistinct<T extends TokenTitle>(titles: readonly T[]): T[] {
  const kept: T[] = [];
  const by_word = new Map<string, Set<ReadonlySet<string>>>();
  for (const title of titles) {
    const words = new Set(title.tokens);
    // Rare words first would compare fewer; long ones are rare enough.
    const ordered = [...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
    const prefix = ordered.slice(0, ordered.length - Math.ceil(SAME_RATIO * ordered.length) + 1);
    const others = new Set(prefix.flatMap((word) => [...(by_word.get(word) ?? [])]));
    if (words.size > 0 && [...others].some((other) => isSame(words, other))) continue;
    kept.push(title);
    for (const word of prefix) by_word.set(word, (by_word.get(word) ?? new Set()).add(words));
  }
  return kept;
}
