import type { Envelope } from "../catalog/envelope.ts";
import type { GistHeadline } from "../catalog/gist.ts";
import { showHeadlineValue } from "../catalog/show-headline.ts";
import { findFigure, type HeadlineFigure } from "./data-view.ts";
import type { Words } from "./words.ts";

const VALUE_CHARS_MAX = 22;
const SENSE_CHARS_MAX = 44;

const cut = (text: string, chars: number): string => (text.length > chars ? `${text.slice(0, chars - 1)}…` : text);

/** A headline in the form of pages; null if there is nothing to show. */
export function showHeadline(headline: GistHeadline, { language }: Words): HeadlineFigure | null {
  const name = cut(headline.sense ?? "", SENSE_CHARS_MAX);
  const value = showHeadlineValue(headline, language);
  if (value === null) return name === "" ? null : { name: "", value: cut(name, VALUE_CHARS_MAX), is_bare: false };
  return { name, value: cut(value, VALUE_CHARS_MAX), is_bare: name !== "" };
}

/** The main figure of an answer; for a product that names none, the field that sums its data up. */
export function findHeadline(
  { headline, data }: Pick<Envelope, "headline" | "data">,
  words: Words,
): HeadlineFigure | null {
  if (headline === undefined) return findFigure(data, words);
  return headline && showHeadline(headline, words);
}
