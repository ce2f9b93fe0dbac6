import { getOwn } from "../../core/own.ts";
import { createNumberFormat, type Language } from "../formats.ts";

/** What answers are laid out with besides their own words: each is a phrase of the pages. */
export const ANSWER_PHRASES = [
  "yes",
  "no",
  "none",
  "and {0} more",
  "Sample of",
  "as of",
  "{0} source",
  "{0} sources",
  "{0} warning",
  "{0} warnings",
  "ok",
  "failed",
  "simulated",
] as const;
export type AnswerPhrase = (typeof ANSWER_PHRASES)[number];

/** A member's name as people read it, and what it is counted in. */
export interface FieldLabel {
  readonly text: string;
  readonly unit: string;
  /** It has no other form than that of the API, on a page of another language. */
  readonly is_english: boolean;
}

/** What the layout of an answer takes from the page it stands on: plain data, so that a script can have it. */
export interface AnswerTexts {
  readonly language: Language;
  /** By phrase: its form in this language. */
  readonly phrases: Readonly<Record<AnswerPhrase, string>>;
  /** By member; of others the name itself is shown. */
  readonly labels: Readonly<Record<string, readonly [text: string, unit: string, is_english: boolean]>>;
  /** By value: words that answers use for states, where the language has its own. */
  readonly values: Readonly<Record<string, string>>;
}

/** How an answer is read on one page. */
export interface AnswerReader {
  readonly language: Language;
  readonly say: (text: AnswerPhrase, ...values: readonly (string | number)[]) => string;
  readonly number: (value: number) => string;
  readonly labelOf: (name: string) => FieldLabel;
  readonly valueOf: (text: string) => string;
  /** Entries of a list that are laid out; the rest is counted. */
  readonly rows_max: number;
}

const JOINED = /^[a-z0-9]+(?:_[a-z0-9]+)+$/;

/** A word of the API as people write it: "strong_buy" is "strong buy". */
export const spaceWords = (text: string): string => (JOINED.test(text) ? text.replaceAll("_", " ") : text);

export function createAnswerReader(texts: AnswerTexts, rows_max: number): AnswerReader {
  const { language, phrases, labels, values } = texts;
  return {
    language,
    rows_max,
    say: (text, ...given) => phrases[text].replaceAll(/\{(\d)\}/g, (_, place) => String(given[Number(place)] ?? "")),
    number: createNumberFormat(language),
    labelOf(name) {
      const [text, unit, is_english] = getOwn(labels, name) ?? [name.replaceAll("_", " "), "", false];
      return { text, unit, is_english };
    },
    valueOf: (text) => getOwn(values, text) ?? spaceWords(text),
  };
}
