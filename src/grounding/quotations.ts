import { getOwn } from "../core/own.ts";
import type { FactsPack, SentenceBlock, SourceText } from "./facts.ts";
import { fold } from "./tokens.ts";

/** Quotations of fewer words are read as ordinary text. */
const WORDS_MIN = 4;
const CHARS_MAX = 400;
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "\u201c": "\u201d",
  "\u00ab": "\u00bb",
  "\u201e": "\u201c",
};

const OPENING = new RegExp(`[${Object.keys(CLOSING).join("")}]`, "g");

export interface Unquoted {
  /** The text without its correct quotations. */
  readonly text: string;
  /** Quotations that no cited text contains, or whose sentence does not name the domain. */
  readonly wrong: readonly string[];
}

/** Only letters and digits, so that punctuation and spaces make no difference. */
const bare = (text: string): string => fold(text.normalize("NFKC")).replace(/[^\p{L}\p{N}]+/gu, "");

/** Quotation marks that a text may use. */
const listParts = ({ title, excerpt }: SourceText): readonly string[] => [title, excerpt ?? ""].map(bare);

/**
 * Takes verbatim quotations of cited texts out of a block. The sentence of each must name the domain it comes from:
 * foreign words are shown as their author's, or not at all.
 */
export function takeQuotations(block: SentenceBlock, pack: FactsPack): Unquoted {
  const cited = pack.texts.filter(({ id, suspicious }) => !suspicious && block.sources.includes(id));
  const texts = cited.map((one) => ({ domain: one.domain.toLowerCase(), parts: listParts(one) }));
  const { text } = block;
  const lower = text.toLowerCase();
  const wrong: string[] = [];
  let plain = "";
  let at = 0;
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(text); found; found = OPENING.exec(text)) {
    const { index } = found;
    const closing = getOwn(CLOSING, found[0]) ?? "";
    const end = text.slice(index + 1, index + 1 + CHARS_MAX).indexOf(closing);
    if (end < 0) continue;
    const inside = text.slice(index + 1, index + 1 + end);
    const after = index + end + 2;
    const wanted = texts.length > 0 ? bare(inside) : "";
    const near = wanted === "" ? "" : lower.slice(Math.max(0, index - 120), after + 120);
    const is_right =
      wanted !== "" &&
      texts.some(({ domain, parts }) => near.includes(domain) && parts.some((part) => part.includes(wanted)));
    const is_long = inside.trim().split(/\s+/).length >= WORDS_MIN;
    if (is_right) {
      plain += text.slice(at, index);
      at = after;
    } else if (is_long) wrong.push(inside);
    OPENING.lastIndex = after;
  }
  return { text: plain + text.slice(at), wrong };
}
