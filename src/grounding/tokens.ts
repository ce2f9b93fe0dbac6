/** A word, a run of digits with its marks, or one other character. */
export interface Token {
  readonly kind: "word" | "digits" | "mark";
  readonly text: string;
  /** Lower case, without accents: what words are compared by. */
  readonly folded: string;
  /** Whether it follows the token before it without a space. */
  readonly is_glued: boolean;
  /** Number of its sentence, from 0. */
  readonly sentence: number;
  /** Number of its clause within the whole text: commas, colons and conjunctions begin a new one. */
  readonly clause: number;
}

const TOKEN = /(\p{L}[\p{L}\p{M}\p{N}]*)|(\p{N}(?:[\p{N}.,]*\p{N})?)|(\S)/gu;
const MINUS_SIGNS = /[\u2212\u2010\u2011\ufe63\uff0d]/g;
const DASHES = /[\u2012-\u2015]/g;
/** Abbreviations whose points end no sentence. */
const ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/\bp\.\s?p\./gi, "pp"],
  [/\ba\.\s?a\.(?=\s+\p{Lu}|\s*$)/gu, "aa."],
  [/\ba\.\s?a\./g, "aa"],
  [/\bU\.S\.(?:A\.)?/g, "US"],
  [/\b([ap])\.m\./gi, "$1m"],
];
const SENTENCE_ENDS: ReadonlySet<string> = new Set([".", "!", "?", "…"]);
const CLAUSE_MARKS: ReadonlySet<string> = new Set([",", ";", ":", "(", ")", "|", "/"]);
const CLAUSE_WORDS: ReadonlySet<string> = new Set([
  ...["and", "while", "but", "whereas", "though", "although", "as", "after", "before", "when", "versus"],
  ...["e", "enquanto", "mas", "porem", "apos", "quando", "embora", "ja"],
]);

const ACCENTED = /[^ -~]/;

/** Lower case without accents. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  return ACCENTED.test(lower) ? lower.normalize("NFD").replace(/\p{M}+/gu, "") : lower;
}

/** One form for what looks alike: compatible characters, one minus, dashes as "to", no points in abbreviations. */
export function normalizeText(text: string): string {
  let clean = text.normalize("NFKC").replace(MINUS_SIGNS, "-").replace(DASHES, " to ").replace(/[’‘]/g, "'");
  for (const [pattern, plain] of ABBREVIATIONS) clean = clean.replace(pattern, plain);
  return clean;
}

/** Reads a text once, from left to right. */
export function readTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let [sentence, clause, end] = [0, 0, -1];
  for (const match of text.matchAll(TOKEN)) {
    const [raw, word, digits] = match;
    const is_glued = match.index === end;
    const previous = tokens.at(-1);
    // A point ends a sentence when a space or a line follows it: "3.5" and "decrypt.co" go on.
    if (previous && !is_glued && SENTENCE_ENDS.has(previous.text)) {
      sentence += 1;
      clause += 1;
    }
    const folded = fold(raw);
    if (word !== undefined && CLAUSE_WORDS.has(folded)) clause += 1;
    const kind = word !== undefined ? "word" : digits !== undefined ? "digits" : "mark";
    tokens.push({ kind, text: raw, folded, is_glued, sentence, clause });
    if (kind === "mark" && CLAUSE_MARKS.has(raw)) clause += 1;
    end = match.index + raw.length;
  }
  return tokens;
}

/** Sequences of tokens by their first one, the longest first, to be found in a text in one pass. */
export type Phrases<T> = ReadonlyMap<string, readonly { readonly rest: readonly string[]; readonly value: T }[]>;

/** Prepares phrases; what stands in them is split as a text is. */
export function createPhrases<T>(entries: Iterable<readonly [phrase: string, value: T]>): Phrases<T> {
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
  const found = phrases.get(tokens[start]?.folded ?? "");
  if (!found) return undefined;
  const fits = found.find(({ rest }) => rest.every((folded, index) => tokens[start + 1 + index]?.folded === folded));
  return fits && { value: fits.value, length: fits.rest.length + 1 };
}
