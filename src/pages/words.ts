import { PORTUGUESE } from "./words.pt.ts";

/** Languages of the pages; JSON is English always. */
export type Language = "en" | "pt-BR";

/** How one reader reads: texts, numbers and times in his form. */
export interface Words {
  readonly language: Language;
  /** He asked for it by a link, so the links of the page keep it: there are no cookies to remember it by. */
  readonly is_chosen: boolean;
  /**
   * A text of the pages in the reader's language, "{0}", "{1}" … replaced by `values`; English where the translation
   * has no entry.
   */
  readonly say: (text: string, ...values: readonly (string | number)[]) => string;
  /** At most 6 significant digits below 1, else at most 4 decimals. */
  readonly number: (value: number, options?: Intl.NumberFormatOptions) => string;
}

const fill = (text: string, values: readonly (string | number)[]): string =>
  values.length === 0 ? text : text.replaceAll(/\{(\d)\}/g, (mark, place) => String(values[Number(place)] ?? mark));

/** As many digits as tell something: 4 significant ones below 1, 4 decimals above. */
const digitsOf = (value: number): Intl.NumberFormatOptions => {
  if (Number.isInteger(value)) return {};
  return Math.abs(value) < 1
    ? { maximumSignificantDigits: 4 }
    : { maximumFractionDigits: Math.abs(value) < 1000 ? 4 : 2 };
};

function createWords(language: Language, is_chosen: boolean): Words {
  const locale = language === "en" ? "en-US" : language;
  const formats = new Map<string, Intl.NumberFormat>();
  const formatOf = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
    const key = JSON.stringify(options);
    const known = formats.get(key) ?? new Intl.NumberFormat(locale, options);
    formats.set(key, known);
    return known;
  };
  return {
    language,
    is_chosen,
    say: (text, ...values) => fill(language === "en" ? text : (PORTUGUESE[text] ?? text), values),
    number: (value, options) => formatOf(options ?? digitsOf(value)).format(value),
  };
}

const KNOWN = {
  en: [createWords("en", false), createWords("en", true)],
  "pt-BR": [createWords("pt-BR", false), createWords("pt-BR", true)],
} as const;

export const wordsOf = (language: Language, is_chosen = false): Words => KNOWN[language][is_chosen ? 1 : 0];

/** Portuguese is offered when its texts are there: a page half in English is in neither language. */
export const HAS_PORTUGUESE = Object.keys(PORTUGUESE).length > 0;

/** English, as nobody asked for anything else. */
export const ENGLISH = wordsOf("en");

/** "$0.001"; in Portuguese "US$ 0,001". `usd` is a decimal string, shown digit for digit: a price is never rounded. */
export const showDollars = (usd: string, { language }: Words): string =>
  language === "en" ? `$${usd}` : `US$ ${usd.replace(".", ",")}`;

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
