import { getOwn } from "../../core/own.ts";
import { createNumberFormat, type Language } from "../formats.ts";

/** Phrases that the layout of answers needs; each is a phrase of the pages. */
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

/** A member's name for people, and its unit. */
export interface FieldLabel {
  readonly text: string;
  readonly unit: string;
  /** Whether a page in another language has only the API's English name. */
  readonly is_english: boolean;
}

/** The settings that the layout of an answer takes from its page, as plain data for a script. */
export interface AnswerTexts {
  readonly language: Language;
  /** Phrases in this language. */
  readonly phrases: Readonly<Record<AnswerPhrase, string>>;
  /** Labels by member; for other members the name itself is shown. */
  readonly labels: Readonly<Record<string, readonly [text: string, unit: string, is_english: boolean]>>;
  /** Words of the language for states, keyed by the value in answers. */
  readonly values: Readonly<Record<string, string>>;
}

/** The reader of answers on one page. */
export interface AnswerReader {
  readonly language: Language;
  readonly say: (text: AnswerPhrase, ...values: readonly (string | number)[]) => string;
  readonly number: (value: number) => string;
  readonly labelOf: (name: string) => FieldLabel;
  readonly valueOf: (text: string) => string;
  /** The most entries of a list that are laid out; the rest is counted. */
  readonly rows_max: number;
}

const JOINED = /^[a-z0-9]+(?:_[a-z0-9]+)+$/;

/** A word of the API in ordinary spelling: "strong_buy" becomes "strong buy". */
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
