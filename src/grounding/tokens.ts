import { once } from "../core/once.ts";
import { ROLE, WORD_ROLES } from "./word-roles.ts";

/** A word, a run of digits with its marks, or one other character. */
export interface Token {
  readonly kind: "word" | "digits" | "mark";
  readonly text: string;
  /** The form used to compare words: lower case, without accents. */
  readonly folded: string;
  /** The roles the word may have, as bits of `ROLE`. */
  readonly roles: number;
  /** Whether it follows the token before it without a space. */
  readonly is_glued: boolean;
  /** Number of its sentence, from 0. */
  readonly sentence: number;
  /** Number of its clause within the whole text: commas, colons and conjunctions begin a new one. */
  readonly clause: number;
}

/** One rule in two forms: by character codes for ASCII, by a pattern for anything else. */
const TOKEN = /(\p{L}[\p{L}\p{M}\p{N}]*)|(\p{N}(?:[\p{N}.,]*\p{N})?)|\S/uy;
const [SPACE, LETTER, DIGIT, MARK] = [0, 1, 2, 3];
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const one = String.fromCharCode(code);
  return /\s/.test(one) ? SPACE : /[a-z]/i.test(one) ? LETTER : /\d/.test(one) ? DIGIT : MARK;
});
const [COMMA, POINT] = [44, 46];

const MINUS_SIGNS = /[\u2212\u2010\u2011\ufe63\uff0d]/g;
const DASHES = /[\u2012-\u2015]/g;
/** Abbreviations whose dots do not end a sentence. The first pattern tells whether a text has any of them. */
const ABBREVIATED = /p\.\s?p\.|a\.\s?a\.|U\.S\.|[ap]\.m\./i;
const ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/\bp\.\s?p\./gi, "pp"],
  [/\ba\.\s?a\.(?=\s+\p{Lu}|\s*$)/gu, "aa."],
  [/\ba\.\s?a\./g, "aa"],
  [/\bU\.S\.(?:A\.)?/g, "US"],
  [/\b([ap])\.m\./gi, "$1m"],
];

const ACCENTED = /[^ -~]/;
const NOT_ASCII = /[^\0-\x7f]/;

/** Lower case without accents. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  return ACCENTED.test(lower) ? lower.normalize("NFD").replace(/\p{M}+/gu, "") : lower;
}

/** Gives look-alikes one form: compatible characters, one minus, dashes as "to", no dots in abbreviations. */
export function normalizeText(text: string): string {
  let clean = NOT_ASCII.test(text)
    ? text.normalize("NFKC").replace(MINUS_SIGNS, "-").replace(DASHES, " to ").replace(/[’‘]/g, "'")
    : text;
  if (ABBREVIATED.test(clean)) for (const [pattern, plain] of ABBREVIATIONS) clean = clean.replace(pattern, plain);
  return clean;
}

/** End of the token that begins at an ASCII character; -1 if a character that is not ASCII follows, which may join. */
function findEnd(text: string, start: number): number {
  const first = CLASSES[text.charCodeAt(start)];
  let end = start + 1;
  if (first === MARK) return end;
  for (let at = end; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 128) return -1;
    const kind = CLASSES[code];
    // A dot or comma belongs to a number if a digit follows it.
    if (kind === DIGIT || (kind === LETTER && first === LETTER)) end = at + 1;
    else if (first === LETTER || (code !== COMMA && code !== POINT)) break;
  }
  return end;
}

type WordFacts = Pick<Token, "kind" | "text" | "folded" | "roles">;

function readWord(text: string, kind: Token["kind"]): WordFacts {
  const folded = fold(text);
  const capital = kind === "word" && text !== text.toLowerCase() ? ROLE.capital : 0;
  return { kind, text, folded, roles: (WORD_ROLES.get(folded) ?? 0) | capital };
}

/** Every ASCII character that is a token by itself, prepared once for all texts. */
const MARKS: readonly (WordFacts | undefined)[] = Array.from({ length: 128 }, (_, code) =>
  CLASSES[code] === MARK ? readWord(String.fromCharCode(code), "mark") : undefined,
);

/** Reads a text once, from left to right. */
export function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  // Most words of a text are repeated.
  const known = new Map<string, WordFacts>();
  let [sentence, clause, end] = [0, 0, -1];
  let previous: Token | undefined;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const ascii = code < 128 ? CLASSES[code] : MARK;
    if (ascii === SPACE) {
      at += 1;
      continue;
    }
    let stop = code < 128 ? findEnd(text, at) : -1;
    let kind: Token["kind"] = ascii === LETTER ? "word" : ascii === DIGIT ? "digits" : "mark";
    if (stop < 0) {
      TOKEN.lastIndex = at;
      const match = TOKEN.exec(text);
      if (!match) {
        at += 1;
        continue;
      }
      stop = at + match[0].length;
      kind = match[1] !== undefined ? "word" : match[2] !== undefined ? "digits" : "mark";
    }
    let read = ascii === MARK ? MARKS[code] : undefined;
    if (!read) {
      const raw = text.slice(at, stop);
      read = known.get(raw);
      if (!read) {
        read = readWord(raw, kind);
        known.set(raw, read);
      }
    }
    const is_glued = at === end;
    // A dot ends a sentence only before a space or a line end, not in "3.5" and "decrypt.co".
    if (!is_glued && previous && (previous.roles & ROLE.ends_sentence) !== 0) {
      sentence += 1;
      clause += 1;
    }
    if ((read.roles & ROLE.clause) !== 0) clause += 1;
    previous = { kind, text: read.text, folded: read.folded, roles: read.roles, is_glued, sentence, clause };
    tokens.push(previous);
    if ((read.roles & ROLE.ends_clause) !== 0) clause += 1;
    end = stop;
    at = stop;
  }
  return tokens;
}

/** Sequences of tokens by their first token, the longest first, so that one pass over a text finds them. */
export type Phrases<T> = () => ReadonlyMap<string, readonly { readonly rest: readonly string[]; readonly value: T }[]>;

/** Prepares phrases at the first search for them. They are split into tokens as texts are. */
export const createPhrases = <T>(entries: Iterable<readonly [phrase: string, value: T]>): Phrases<T> =>
  once(() => splitPhrases(entries));

function splitPhrases<T>(entries: Iterable<readonly [phrase: string, value: T]>): ReturnType<Phrases<T>> {
  const found = new Map<string, { rest: string[]; value: T }[]>();
  for (const [phrase, value] of entries) {
    const [first, ...rest] = readTokens(normalizeText(phrase)).map(({ folded }) => folded);
    if (first === undefined) continue;
    const known = found.get(first) ?? [];
    if (!found.has(first)) found.set(first, known);
    known.push({ rest, value });
  }
  for (const list of found.values()) list.sort((a, b) => b.rest.length - a.rest.length);
  return found;
}

/** The longest phrase that begins at a token, and how many tokens it has. */
export function findPhrase<T>(
  tokens: readonly Token[],
  start: number,
  phrases: Phrases<T>,
): { readonly value: T; readonly length: number } | undefined {
  const found = phrases().get(tokens[start]?.folded ?? "");
  if (!found) return undefined;
  const fits = found.find(({ rest }) => rest.every((folded, index) => tokens[start + 1 + index]?.folded === folded));
  return fits && { value: fits.value, length: fits.rest.length + 1 };
}
