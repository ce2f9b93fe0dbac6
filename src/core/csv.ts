import { escapeInvisible } from "./foreign-text.ts";

/** What a spreadsheet reads as a formula at the start of a cell. */
const FORMULA = /^\s*[=+\-@|%]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** One field: a number stays a number, a formula becomes text, invisible characters are spelled out. */
function renderField(value: string | number | boolean | null | undefined): string {
  const text = escapeInvisible(String(value ?? ""));
  const plain = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/**
 * A row of RFC 4180 CSV, without its line break, that may hold words of strangers. A field that a spreadsheet would
 * run as a formula ("=", "+", "-", "@" in front) begins with an apostrophe.
 */
export const renderCSVRow = (fields: readonly (string | number | boolean | null | undefined)[]): string =>
  fields.map(renderField).join(",");
