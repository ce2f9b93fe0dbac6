import { once } from "../core/once.ts";
import type { DirectionWord } from "./check-figures.ts";
import { COMMON_WORDS } from "./common-words.ts";
import { isKnownDate, type KnownDates } from "./dates.ts";
import type { ListedFact } from "./facts.ts";
import {
  ADVICE,
  CAUSES,
  COMMON_NAMES,
  EXTREME_ENDS,
  EXTREME_GROUPS,
  EXTREME_LABELS,
  EXTREME_PHRASES,
  EXTREME_SPANS,
  IMPERATIVES,
  NAMED_SO,
  NO_SUPERLATIVES,
  OPENERS,
  QUANTITIES,
  type Quantity,
  WEAK_EXTREMES,
  WORD_ENDINGS,
} from "./lexicon.ts";
import { nameWindow, type ReadText } from "./read-text.ts";
import { createPhrases, findPhrase, fold, type Token } from "./tokens.ts";
import type { Violation } from "./violations.ts";
import { ROLE } from "./word-roles.ts";

const QUANTITY_PHRASES = createPhrases(QUANTITIES);
const EXTREMES_IN_WORDS = createPhrases(EXTREME_PHRASES);
/** Whether a word at the start of a sentence can be something other than a name. */
function mayOpen({ text, folded }: Token, next: Token | undefined): boolean {
  // "Vale notar": the verb, not the company.
  if (folded === "vale") return /[aei]r$/.test(next?.folded ?? "");
  if (OPENERS.has(folded) || COMMON_WORDS.has(folded)) return true;
  return WORD_ENDINGS.test(text.toLowerCase()) && !NAMED_SO.has(folded);
}
const SUPERLATIVE = /^[a-z]{2,}est$/;
const ADVICE_PHRASES = createPhrases(ADVICE.map((one) => [one, one] as const));
const CAUSE_PHRASES = createPhrases(CAUSES.map((one) => [one, one] as const));
const COUNTED: ReadonlySet<string> = new Set([
  ...["percent", "%", "million", "billion", "trillion", "thousand", "hundred", "dozen", "basis", "percentage"],
  ...["milhao", "bilhao", "trilhao", "ponto", "dollar", "euro", "dolar"],
]);
const ARTICLES: ReadonlySet<string> = new Set(["the", "o", "a", "os", "as", "its", "seu", "sua"]);
/** Words that often have nothing to do with direction: they count as one only beside a figure. */
const WEAK_DIRECTIONS: ReadonlySet<string> = new Set([
  ...["above", "below", "up", "down", "higher", "lower", "cut", "discount", "premium", "surplus", "deficit", "growth"],
  ...[
    "ahead",
    "behind",
    "added",
    "loss",
    "losses",
    "gain",
    "gains",
    "inflow",
    "inflows",
    "outflow",
    "outflows",
    "fall",
  ],
  ...[
    "upward",
    "downward",
    "acima",
    "abaixo",
    "alta",
    "altas",
    "baixa",
    "baixas",
    "entradas",
    "saidas",
    "ganho",
    "queda",
  ],
  ...["ganhos", "perda", "perdas", "quedas", "crescimento", "agio", "desagio", "increase", "decrease", "rise", "drop"],
]);

/** What the words of a text are compared with. */
export interface WordContext {
  readonly read: ReadText;
  readonly cited: readonly ListedFact[];
  readonly has_sources: boolean;
  /** Words, folded, that may be capitalised. */
  readonly vocabulary: ReadonlySet<string>;
  readonly dates: KnownDates;
  readonly windows: ReadonlySet<string>;
  readonly directions: readonly DirectionWord[];
}

/** How far a stated multiple or part may be from its fact, as a share of the fact. */
const QUANTITY_TOLERANCE = 0.06;

function hasQuantity({ ratio, is_move }: Quantity, cited: readonly ListedFact[]): boolean {
  const isNear = (value: number) => Math.abs(value - ratio) <= QUANTITY_TOLERANCE * ratio;
  return cited.some(({ unit, kind, value }) => {
    if (unit === "ratio") return isNear(value);
    if (unit !== "pct") return false;
    return kind === "change" ? is_move && isNear(1 + value / 100) : !is_move && isNear(value / 100);
  });
}

/** A violation by some tokens. */
const violate = (rule: Violation["rule"], tokens: readonly Token[]): Violation => ({
  rule,
  text: tokens.map(({ text }) => text).join(" "),
});

const QUANTIFYING = ROLE.quantity | ROLE.spelled | ROLE.one | ROLE.extreme;

const CURRENCY_WORDS: ReadonlySet<string> = new Set(["dollar", "euro", "dolar", "real"]);

/** The unit that is priced, at the start of its sentence: "One dollar bought R$ 5.29". */
const isUnitPrice = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 1]?.sentence !== tokens[at]?.sentence && CURRENCY_WORDS.has(tokens[at + 1]?.folded ?? "");

/** The extremes that labels of facts state: groups of words, and single superlatives that belong to no group. */
function listFounded(cited: readonly ListedFact[]): ReadonlySet<number | string> {
  const founded = new Set<number | string>();
  for (const { label } of cited) {
    for (const word of fold(label).split(/[^\p{L}]+/u)) {
      const group = EXTREME_GROUPS.get(EXTREME_LABELS.get(word) ?? word);
      founded.add(group ?? word);
    }
  }
  return founded;
}

/** Extremes in several words ("an all-time high"), and superlatives ("the steepest"), that no label states. */
function* checkExtremes({ read: { tokens, is_read }, cited }: WordContext): Generator<Violation> {
  const founded = once(() => listFounded(cited));
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind !== "word" || is_read[at]) continue;
    const phrase = findPhrase(tokens, at, EXTREMES_IN_WORDS);
    const ends = EXTREME_ENDS.get(token.folded);
    // "all-time high": the hyphen is a token.
    const before = tokens[at - 1]?.text === "-" ? tokens[at - 2] : tokens[at - 1];
    const span = ends !== undefined && before && EXTREME_SPANS.has(before.folded) ? ends : undefined;
    const said = phrase?.value ?? span;
    const group = said === undefined ? undefined : EXTREME_GROUPS.get(said);
    if (group !== undefined) {
      if (!founded().has(group)) yield violate("unfounded_extreme", tokens.slice(at, at + (phrase?.length ?? 1)));
      continue;
    }
    if (!SUPERLATIVE.test(token.folded) || EXTREME_GROUPS.has(token.folded) || NO_SUPERLATIVES.has(token.folded))
      continue;
    if (!founded().has(token.folded)) yield violate("unfounded_extreme", tokens.slice(at, at + 1));
  }
}

/** Numbers in words, multiples, parts and extremes. */
function* checkQuantities({ read: { tokens, is_read }, cited }: WordContext): Generator<Violation> {
  const groups = listFounded(cited);
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || (token.roles & QUANTIFYING) === 0 || is_read[at] || token.kind !== "word") continue;
    const quantity = findPhrase(tokens, at, QUANTITY_PHRASES);
    if (quantity) {
      if (!hasQuantity(quantity.value, cited)) yield violate("quantity_word", tokens.slice(at, at + quantity.length));
      at += quantity.length - 1;
      continue;
    }
    const next = tokens[at + 1]?.folded ?? "";
    const before = tokens[at - 1]?.folded ?? "";
    if ((token.roles & ROLE.spelled) !== 0 && !(token.folded === "segundo" && !COUNTED.has(next)) && before !== "por") {
      yield violate("spelled_number", tokens.slice(at, at + 1));
    } else if ((token.roles & ROLE.one) !== 0 && COUNTED.has(next) && !isUnitPrice(tokens, at))
      yield violate("spelled_number", tokens.slice(at, at + 2));
    const group = EXTREME_GROUPS.get(token.folded);
    const is_weak = WEAK_EXTREMES.has(token.folded) && (!ARTICLES.has(before) || next === "que" || next === "do");
    const is_bound = before === "at" && (token.folded === "most" || token.folded === "least");
    if (group !== undefined && !is_weak && !is_bound && !groups.has(group)) {
      yield violate("unfounded_extreme", tokens.slice(at, at + 1));
    }
  }
}

/** Capitalised words that no trusted text contains. */
function* checkNames({ read: { tokens, is_read }, vocabulary }: WordContext): Generator<Violation> {
  let sentence = -1;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || token.kind === "mark") continue;
    // A heading's sentence begins after a colon.
    const is_first = token.sentence !== sentence || tokens[at - 1]?.text === ":";
    sentence = token.sentence;
    if ((token.roles & ROLE.capital) === 0 || is_read[at]) continue;
    const { folded } = token;
    if (vocabulary.has(folded) || COMMON_NAMES.has(folded)) continue;
    const is_capital = token.text.length > 1 && token.text === token.text.toUpperCase();
    if (is_first && !is_capital && mayOpen(token, tokens[at + 1])) continue;
    yield violate("unknown_name", tokens.slice(at, at + 1));
  }
}

/** Advice, and causes without a source. */
function* checkStance({ read: { tokens }, has_sources }: WordContext): Generator<Violation> {
  let sentence = -1;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || token.kind === "mark") continue;
    const is_first = token.kind === "word" && token.sentence !== sentence;
    sentence = token.sentence;
    const advice = (token.roles & ROLE.advice) === 0 ? undefined : findPhrase(tokens, at, ADVICE_PHRASES);
    if (advice || (is_first && IMPERATIVES.has(token.folded)))
      yield violate("advice", tokens.slice(at, at + (advice?.length ?? 1)));
    const can_cause = !has_sources && (token.roles & ROLE.cause) !== 0;
    const cause = can_cause ? findPhrase(tokens, at, CAUSE_PHRASES) : undefined;
    if (cause) yield violate("uncited_cause", tokens.slice(at, at + cause.length));
  }
}

/** Directions in sentences without a figure: a cited change must go the same way. */
function* checkDirections({ read, cited, directions }: WordContext): Generator<Violation> {
  const { tokens, figures, mentions } = read;
  const quantified = new Set(figures.map(({ start }) => tokens[start]?.sentence));
  const loose = directions.filter(({ start }) => {
    const token = tokens[start];
    return token && !quantified.has(token.sentence) && !WEAK_DIRECTIONS.has(token.folded) && !read.is_read[start];
  });
  if (loose.length === 0) return;
  const subjects = new Map<number, Set<string>>();
  for (const { start, subjects: named } of mentions) {
    const sentence = tokens[start]?.sentence ?? -1;
    const known = subjects.get(sentence) ?? new Set();
    subjects.set(sentence, known);
    for (const one of named) known.add(one);
  }
  const conditional = new Set<number>();
  for (const { roles, sentence } of tokens) if ((roles & ROLE.conditional) !== 0) conditional.add(sentence);
  const changes = cited.filter(({ kind, value }) => kind === "change" && value !== 0);
  for (const { start, direction } of loose) {
    const token = tokens[start];
    if (!token || conditional.has(token.sentence)) continue;
    const named = subjects.get(token.sentence);
    const of_named = changes.filter(({ about }) => about === null || !named || named.has(about));
    if (!of_named.some(({ value }) => value > 0 === (direction === "up"))) {
      yield violate(of_named.length > 0 ? "direction_mismatch" : "direction_unfounded", [token]);
    }
  }
}

/** Days and stretches of time that are not in the pack. */
function* checkTimes({ read, dates, windows, cited }: WordContext): Generator<Violation> {
  const { tokens } = read;
  for (const date of read.dates) {
    if (!isKnownDate(date, dates)) yield violate("unknown_date", tokens.slice(date.start, date.end));
  }
  for (const { window, text } of read.stretches) {
    const days = /^(\d+)d$/.exec(window)?.[1];
    const is_fact = days !== undefined && cited.some(({ unit, value }) => unit === "days" && value === Number(days));
    if (!is_fact && !windows.has(nameWindow(window))) yield { rule: "unknown_window", text };
  }
}

/** Checks everything in a text except its figures. */
export function checkWords(context: WordContext): readonly Violation[] {
  return [
    ...checkTimes(context),
    ...checkQuantities(context),
    ...checkExtremes(context),
    ...checkNames(context),
    ...checkStance(context),
    ...checkDirections(context),
  ];
}
