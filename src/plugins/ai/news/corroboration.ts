import { similarity, wordsOf } from "./cluster.ts";
import { ownerOf } from "./owners.ts";

/** Titles this similar are one text that several printed: an agency's wire, or a press release. */
const WIRE_RATIO = 0.9;

/**
 * How many independent owners report a story. Sites of one owner count once, and so do those that print one text: each
 * group of near-duplicates counts as its first reporter. At least 1 for any story.
 */
export function countIndependent(
  told: readonly { readonly title: string; readonly domain: string; readonly at_ms: number }[],
) {
  const texts: { readonly words: ReadonlySet<string>; readonly owner: string }[] = [];
  for (const { title, domain } of told.toSorted((a, b) => a.at_ms - b.at_ms)) {
    const words = wordsOf(title);
    if (!texts.some((one) => similarity(one.words, words) >= WIRE_RATIO)) texts.push({ words, owner: ownerOf(domain) });
  }
  return new Set(texts.map(({ owner }) => owner)).size;
}
