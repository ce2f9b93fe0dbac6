import { type Say, sayEnglish } from "../surfaces/texts.ts";
import { createNumberFormat, type Language, writeDay } from "./formats.ts";
import { type Html, html } from "./html.ts";
import PORTUGUESE from "./languages/pt-br.json" with { type: "json" };

/**
 * A text of the pages, in English. Only what stands in `languages/pt-br.json` is one, so no page can say anything that
 * has no Portuguese form: the compiler objects. A new text is added there, beside its translation.
 */
export type Phrase = keyof typeof PORTUGUESE;

/** How one reader reads: texts, numbers and times in his form. */
export interface Words {
  readonly language: Language;
  /** He asked for it by a link, so the links of the page keep it: there are no cookies to remember it by. */
  readonly is_chosen: boolean;
  /** A text of the pages in the reader's language, "{0}", "{1}" … replaced by `values`. */
  readonly say: (text: Phrase, ...values: readonly (string | number)[]) => string;
  /** At most 4 significant digits below 1, else at most 4 decimals, 2 from 1,000 on. */
  readonly number: (value: number, options?: Intl.NumberFormatOptions) => string;
  /** "12.5 %", in Portuguese "12,5%"; `digits` are the most decimals shown. */
  readonly percent: (value_pct: number, digits: number) => string;
  /** "2026-11-21 12:40 UTC", in Portuguese "21/11/2026 12:40 UTC". */
  readonly time: (ms: number) => string;
  /** "2026-11-21", in Portuguese "21/11/2026". */
  readonly day: (ms: number) => string;
}

function createWords(language: Language, is_chosen: boolean): Words {
  const number: Words["number"] = createNumberFormat(language);
  const day = (ms: number): string => writeDay(new Date(ms).toISOString(), language);
  return {
    language,
    is_chosen,
    say: (text, ...values) => sayEnglish(language === "en" ? text : PORTUGUESE[text], ...values),
    number,
    percent: (value, digits) => `${number(value, { maximumFractionDigits: digits })}${language === "en" ? " %" : "%"}`,
    time: (ms) => `${day(ms)} ${new Date(ms).toISOString().slice(11, 16)} UTC`,
    day,
  };
}

const KNOWN = {
  en: [createWords("en", false), createWords("en", true)],
  "pt-BR": [createWords("pt-BR", false), createWords("pt-BR", true)],
} as const;

export const wordsOf = (language: Language, is_chosen = false): Words => KNOWN[language][is_chosen ? 1 : 0];

/** All there are, in the order of their preference. */
export const LANGUAGES: readonly Language[] = ["en", "pt-BR"];

/** English, as nobody asked for anything else. */
export const ENGLISH = wordsOf("en");

const isPhrase = (text: string): text is Phrase => Object.hasOwn(PORTUGUESE, text);

/** A text that is not of the pages, such as a title of an operator's product: translated where it is known. */
export const sayKnown = (text: string, { say }: Words): string => (isPhrase(text) ? say(text) : text);

/** For documents that this layer does not make: each of their texts is a phrase too, which a test makes sure of. */
export const sayWith =
  (words: Words): Say =>
  (text, ...values) =>
    sayEnglish(sayKnown(text, words), ...values);

/** The same as markup: what stays English says so, for whoever reads it aloud. */
export const inLanguage = (text: string, words: Words): Html =>
  words.language === "en" || isPhrase(text) ? html`${sayKnown(text, words)}` : html`<span lang="en">${text}</span>`;

/** "$0.001"; in Portuguese "US$ 0,001". `usd` is a decimal string, shown digit for digit: a price is never rounded. */
export const showDollars = (usd: string, { language }: Words): string =>
  language === "en" ? `$${usd}` : `US$ ${usd.replace(".", ",")}`;

/** What a call of a product costs: the lowest price where that follows from the call. */
export const showPrice = (
  { price_usd, priced_by }: { readonly price_usd: string; readonly priced_by?: string | undefined },
  words: Words,
): string => {
  const price = showDollars(price_usd, words);
  return priced_by === undefined ? price : words.say("from {0}", price);
};

const AGES: readonly (readonly [up_to_s: number, unit_s: number, unit: string])[] = [
  [120, 1, "s"],
  [7_200, 60, "min"],
  [172_800, 3_600, "h"],
  [Number.POSITIVE_INFINITY, 86_400, "d"],
];

/** "45 s", "15 min", "3 h", "9 d". */
export function showAge(seconds: number): string {
  const [, unit_s, unit] = AGES.find(([up_to_s]) => seconds < up_to_s) ?? [0, 86_400, "d"];
  return `${Math.max(0, Math.round(seconds / unit_s))} ${unit}`;
}
