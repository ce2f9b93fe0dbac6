import MiniSearch from "minisearch";
import { STOP_WORDS, stemOf, wordsOf } from "../search-words.ts";
import type { GuidePage } from "./pages.ts";

const FOUND_MAX = 10;
const indexes = new WeakMap<readonly GuidePage[], MiniSearch>();

function indexOf(pages: readonly GuidePage[]): MiniSearch {
  const known = indexes.get(pages);
  if (known) return known;
  const index = new MiniSearch({
    fields: ["title", "headings", "text"],
    tokenize: (text) => [...wordsOf(text)],
    processTerm: (word) => (STOP_WORDS.has(word) ? null : stemOf(word)),
  });
  index.addAll(
    pages.map(({ title, headings, text }, id) => ({
      id,
      title,
      headings: headings.map((one) => one.text).join(" "),
      text,
    })),
  );
  indexes.set(pages, index);
  return index;
}

/** Pages of the guide that hold the words of a question, best first. */
export const searchGuide = (pages: readonly GuidePage[], query: string): readonly GuidePage[] =>
  indexOf(pages)
    .search(query, { boost: { title: 4, headings: 2 }, prefix: true })
    .slice(0, FOUND_MAX)
    .flatMap(({ id }) => pages[Number(id)] ?? []);
