import type { TObject, TSchema } from "@sinclair/typebox";
import { getOwn } from "../core/own.ts";

const CHARS_MAX = 40;
/** A longer word is an address or a digest, and is shortened in the middle. */
const WORD_CHARS_MAX = 24;
const HEAD_CHARS = 6;
const TAIL_CHARS = 4;

/** "0x5290…bae7": enough of an address to recognise it. */
const shortenWord = (word: string): string =>
  word.length <= WORD_CHARS_MAX ? word : `${word.slice(0, HEAD_CHARS)}…${word.slice(-TAIL_CHARS)}`;

const shortenText = (text: string): string => {
  const short = text.split(" ").map(shortenWord).join(" ");
  return short.length <= CHARS_MAX
    ? short
    : `${short
        .slice(0, CHARS_MAX - 1)
        .trimEnd()
        .toWellFormed()}…`;
};

/** Shortens a URL to its host. */
const readValue = (text: string): string => (URL.canParse(text) && text.includes("://") ? new URL(text).host : text);

const TICKER = /^[A-Z0-9./-]+$/;
/** A value of a closed list, such as "summary", describes the form of the answer, unless it is a ticker like "BTC". */
const isSubject = (value: unknown, schema: TSchema | undefined): value is string => {
  if (typeof value !== "string" || value === "" || schema?.contentMediaType !== undefined) return false;
  const is_choice = schema?.const !== undefined || Array.isArray(schema?.enum) || Array.isArray(schema?.anyOf);
  return !is_choice || TICKER.test(value);
};

/**
 * The subject of a sample, for people: "BTC", "EUR/USD", "0x5290…bae7", the words of a search. Amounts and forms are
 * left out; "" if nothing else remains.
 */
export function nameSubject(
  given: Readonly<Record<string, unknown>>,
  { properties }: Pick<TObject, "properties">,
): string {
  const named = Object.entries(given).flatMap(([name, value]) =>
    isSubject(value, getOwn(properties, name)) ? [readValue(value)] : [],
  );
  return shortenText(named.join(" "));
}
