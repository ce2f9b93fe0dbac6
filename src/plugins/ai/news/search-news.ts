import type { FeedNews } from "./stored-news.ts";

const WORD = /[\p{L}\p{N}]+/gu;
const SMALL_CHARS_MAX = 1;
const COUNT = 20;

const wordsIn = (text: string): readonly string[] =>
  (text.toLowerCase().match(WORD) ?? []).filter((word) => word.length > SMALL_CHARS_MAX);

/** Stored headlines that hold every word of a query, newest first, at most 20. */
export function searchNews(items: readonly FeedNews[], q: string): readonly FeedNews[] {
  const wanted = [...new Set(wordsIn(q))];
  if (wanted.length === 0) return [];
  const found = items.filter(({ title }) => {
    const words = new Set(wordsIn(title));
    return wanted.every((word) => words.has(word));
  });
  return found.toSorted((a, b) => b.at_ms - a.at_ms || (a.canonical < b.canonical ? -1 : 1)).slice(0, COUNT);
}
