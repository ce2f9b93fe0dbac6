import { type Say, sayEnglish } from "../surfaces/texts.ts";
import { createNumberFormat, type Language, writeDay } from "./formats.ts";
import { type Html, html } from "./html.ts";
import PORTUGUESE from "./languages/pt-br.json" with { type: "json" };

/**
 * A text of the pages, in English. Only keys of `languages/pt-br.json` are phrases, so the compiler refuses a text
 * without a Portuguese form. To add a text, add it there with its translation.
 */
export type Phrase = keyof typeof PORTUGUESE;

/** A reader's language: texts, numbers and times in its form. */
export interface Words {
  readonly language: Language;
  /** Whether a link chose it, so that the links of the page must keep it: there are no cookies. */
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

/** All languages, in order of preference. */
export const LANGUAGES: readonly Language[] = ["en", "pt-BR"];

/** English, chosen by default and not by a link. */
export const ENGLISH = wordsOf("en");

const isPhrase = (text: string): text is Phrase => Object.hasOwn(PORTUGUESE, text);

/** A text from elsewhere, such as the title of an operator's product, translated if a translation exists. */
export const sayKnown = (text: string, { say }: Words): string => (isPhrase(text) ? say(text) : text);

/** For texts of documents from other layers. A test checks that each of them is a phrase too. */
export const sayWith =
  (words: Words): Say =>
  (text, ...values) =>
    sayEnglish(sayKnown(text, words), ...values);

/** The same as markup, in which text that stays English is marked for screen readers. */
export const inLanguage = (text: string, words: Words): Html =>
  words.language === "en" || isPhrase(text) ? html`${sayKnown(text, words)}` : html`<span lang="en">${text}</span>`;

/** "$0.001"; in Portuguese "US$ 0,001". `usd` is a decimal string, shown digit for digit: a price is never rounded. */
export const showDollars = (usd: string, { language }: Words): string =>
  language === "en" ? `$${usd}` : `US$ ${usd.replace(".", ",")}`;

/** The price of a product's call; the lowest price if it depends on the call. */
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
