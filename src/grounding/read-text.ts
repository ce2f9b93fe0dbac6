import { getOwn } from "../core/own.ts";
import { type NamedDate, readDate } from "./dates.ts";
import type { FactsPack, NumberLocale } from "./facts.ts";
import { readFigure, readStretch, type TextFigure, type TextStretch } from "./figures.ts";
import { createPhrases, findPhrase, fold, normalizeText, type Phrases, readTokens, type Token } from "./tokens.ts";

/** A place in a text that names a subject of the pack. */
export interface Mention {
  readonly start: number;
  readonly end: number;
  /** Subjects named together with it: "BTC and ETH rose" is about both. */
  readonly subjects: Set<string>;
}

/** A text after reading: the position of everything in it. */
export interface ReadText {
  readonly tokens: readonly Token[];
  /** Whether a token belongs to something recognised, and so is not checked as a word. */
  readonly is_read: readonly boolean[];
  readonly figures: readonly TextFigure[];
  readonly stretches: readonly TextStretch[];
  readonly dates: readonly NamedDate[];
  readonly mentions: readonly Mention[];
}

type Term = { readonly subject: string | null };

/** Terms of a pack that are read as one: identifiers, subjects and the domains of its texts. */
export function prepareTerms(pack: FactsPack): Phrases<Term> {
  const terms: (readonly [string, Term])[] = [];
  for (const identifier of pack.identifiers) terms.push([identifier, { subject: null }]);
  for (const { domain } of pack.texts) terms.push([domain, { subject: null }]);
  for (const [subject, aliases] of Object.entries(pack.subjects)) {
    for (const name of [subject, ...aliases]) terms.push([name, { subject }]);
  }
  return createPhrases(terms);
}

const JOINING: ReadonlySet<string> = new Set([",", "and", "e", "/", "&", "or", "ou"]);

type TokenSpan = Pick<Mention, "start" | "end">;

/** The subjects of the mention before, if only "and" or a comma is between the two; else a new set. */
function joinSubjects(last: Mention | undefined, tokens: readonly Token[], { start }: TokenSpan): Set<string> {
  const between = last ? tokens.slice(last.end, Math.min(start, last.end + 3)) : [];
  const is_joined =
    last &&
    start - last.end <= 2 &&
    between.length > 0 &&
    between.every(({ folded }) => JOINING.has(folded)) &&
    tokens[last.start]?.sentence === tokens[start]?.sentence;
  return is_joined ? last.subjects : new Set();
}

/** Reads figures, dates, stretches of time, subjects and identifiers, in one pass from left to right. */
export function readText(text: string, locale: NumberLocale, terms: Phrases<Term>): ReadText {
  const tokens = readTokens(normalizeText(text));
  const is_read = new Array<boolean>(tokens.length).fill(false);
  const [figures, stretches, dates, mentions]: [TextFigure[], TextStretch[], NamedDate[], Mention[]] = [[], [], [], []];
  const take = (start: number, end: number): number => {
    is_read.fill(true, start, end);
    return end;
  };
  for (let at = 0; at < tokens.length; ) {
    const term = findPhrase(tokens, at, terms);
    // "BTC" within "BTC2X" is another word; nor may a term's digits continue.
    if (term && !(tokens[at + term.length]?.is_glued && tokens[at + term.length]?.kind === "digits")) {
      const end = at + term.length;
      const { subject } = term.value;
      const place = { start: at, end };
      if (subject !== null) {
        mentions.push({ ...place, subjects: joinSubjects(mentions.at(-1), tokens, place).add(subject) });
      }
      at = take(at, end);
      continue;
    }
    const date = readDate(tokens, at, locale);
    if (date) {
      dates.push(date);
      at = take(at, date.end);
      continue;
    }
    if (tokens[at]?.kind !== "digits") {
      at += 1;
      continue;
    }
    const stretch = readStretch(tokens, at, locale);
    if (stretch) stretches.push(stretch);
    const figure = stretch ?? readFigure(tokens, at, locale);
    if (!stretch) figures.push(figure as TextFigure);
    at = take(figure.start, figure.end);
  }
  return { tokens, is_read, figures, stretches, dates, mentions };
}

const windows_read = new Map<string, string>();
/** A pack has only a few terms; a stranger's text is never read here. */
const WINDOWS_MAX = 1_000;

/** Different names of the same stretch of time. */
const SAME: Readonly<Record<string, string>> = {
  "24h": "1d",
  "7d": "1w",
  "12m": "1y",
  "52w": "1y",
  "365d": "1y",
  "1m": "30d",
  "3m": "90d",
};
/** One name for each stretch of time. */
export const nameWindow = (window: string): string => getOwn(SAME, window) ?? window;

/** The stretch of time that a pack's window means, such as "24h", "30 days" or "12 meses". */
export function readWindow(window: string): string {
  const known = windows_read.get(window);
  if (known !== undefined) return known;
  const tokens = readTokens(normalizeText(window));
  const named = nameWindow(readStretch(tokens, 0, "en")?.window ?? fold(window));
  if (windows_read.size < WINDOWS_MAX) windows_read.set(window, named);
  return named;
}
