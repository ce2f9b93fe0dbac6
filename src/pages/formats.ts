/** Languages of the pages; JSON is always in English. */
export type Language = "en" | "pt-BR";

/** The shown digits: 4 significant ones below 1, 4 decimals above. */
const digitsOf = (value: number): Intl.NumberFormatOptions => {
  if (Number.isInteger(value)) return {};
  return Math.abs(value) < 1
    ? { maximumSignificantDigits: 4 }
    : { maximumFractionDigits: Math.abs(value) < 1000 ? 4 : 2 };
};

/** Writes numbers in the form of a language. The node and the script of its pages both use this. */
export function createNumberFormat(language: Language): (value: number, options?: Intl.NumberFormatOptions) => string {
  const locale = language === "en" ? "en-US" : language;
  const formats = new Map<string, Intl.NumberFormat>();
  const formatOf = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
    const key = JSON.stringify(options);
    const known = formats.get(key) ?? new Intl.NumberFormat(locale, options);
    formats.set(key, known);
    return known;
  };
  return (value, options) => formatOf(options ?? digitsOf(value)).format(value);
}

/** An ISO 8601 day in the reader's form. */
export const writeDay = (iso: string, language: Language): string =>
  language === "en" ? iso.slice(0, 10) : `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}`;
