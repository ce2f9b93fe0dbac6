import { once } from "../core/once.ts";
import type { Fact, ListedFact } from "./facts.ts";
import type { TextFigure } from "./figures.ts";
import { COMPARISONS, DOWN_WORDS, NEGATIONS, UP_WORDS } from "./lexicon.ts";
import type { FactIndex } from "./match-figure.ts";
import { type Mention, nameWindow, type ReadText, readWindow } from "./read-text.ts";
import { createPhrases, findPhrase, type Token } from "./tokens.ts";
import type { Violation, ViolationRule } from "./violations.ts";
import { ROLE } from "./word-roles.ts";

type Direction = "up" | "down";

/** What comes before and after each position of a text, so that no search walks over the text again. */
interface Nearest<T> {
  before(index: number): T | undefined;
  after(index: number): T | undefined;
}

function createNearest<T extends { readonly start: number }>(items: readonly T[], length: number): Nearest<T> {
  const last = new Int32Array(length + 1).fill(-1);
  let next = 0;
  for (let index = 0; index <= length; index += 1) {
    while (next < items.length && (items[next]?.start ?? length) < index) next += 1;
    last[index] = next - 1;
  }
  return { before: (index) => items[last[index] ?? -1], after: (index) => items[(last[index] ?? -1) + 1] };
}

export interface DirectionWord {
  readonly start: number;
  readonly direction: Direction;
}

const NEGATED_WITHIN = 3;

/** The direction that each word says, in one table; a word that is in two lists has the direction of the first. */
const POINTERS: ReadonlyMap<string, { readonly direction: Direction | null; readonly negates: boolean }> = new Map(
  [...NEGATIONS, ...DOWN_WORDS, ...UP_WORDS].map((word) => [
    word,
    { direction: UP_WORDS.has(word) ? "up" : DOWN_WORDS.has(word) ? "down" : null, negates: NEGATIONS.has(word) },
  ]),
);

/** The words of direction; a denied word points the other way. */
export function listDirections(tokens: readonly Token[]): readonly DirectionWord[] {
  const found: DirectionWord[] = [];
  let negated_at = -NEGATED_WITHIN - 1;
  for (let start = 0; start < tokens.length; start += 1) {
    const token = tokens[start];
    if (!token || (token.roles & ROLE.pointer) === 0) continue;
    const pointer = POINTERS.get(token.folded);
    if (!pointer) continue;
    if (pointer.negates) negated_at = start;
    const { direction } = pointer;
    if (!direction) continue;
    const is_denied = start - negated_at <= NEGATED_WITHIN;
    found.push({ start, direction: is_denied === (direction === "up") ? "down" : "up" });
  }
  return found;
}

/** What the figures of a text are compared with. */
export interface FigureContext {
  readonly read: ReadText;
  readonly cited: FactIndex;
  readonly all: FactIndex;
  readonly directions: readonly DirectionWord[];
}

interface Surroundings {
  readonly tokens: readonly Token[];
  readonly directions: Nearest<DirectionWord>;
  readonly mentions: Nearest<Mention>;
  /** Needed only for a fact that covers a stretch of time. */
  readonly windows: () => NamedWindows;
}

/** Windows that clauses and sentences name, by the number of the clause or sentence. */
type NamedWindows = Readonly<Record<"clause" | "sentence", ReadonlyMap<number, ReadonlySet<string>>>>;

/** The direction stated for a figure: that of the nearest word of its clause, else of its sentence. */
function findDirection(figure: TextFigure, tokens: readonly Token[], words: Nearest<DirectionWord>) {
  const here = tokens[figure.start];
  const [before, after] = [words.before(figure.start), words.after(figure.end)];
  const placeOf = (word: DirectionWord | undefined) => {
    const token = word && tokens[word.start];
    if (!token || token.sentence !== here?.sentence) return "elsewhere";
    return token.clause === here.clause ? "clause" : "sentence";
  };
  const [where_before, where_after] = [placeOf(before), placeOf(after)];
  const in_clause = where_before === "clause" || where_after === "clause";
  if (where_before === "clause" && where_after === "clause" && before && after) {
    const nearer = figure.start - before.start <= after.start - figure.end + 1 ? before : after;
    return { direction: nearer.direction, in_clause };
  }
  if (where_before === "clause") return { direction: before?.direction, in_clause };
  if (where_after === "clause") return { direction: after?.direction, in_clause };
  if (where_before === "sentence") return { direction: before?.direction, in_clause };
  return { direction: where_after === "sentence" ? after?.direction : undefined, in_clause };
}

function checkSign(figure: TextFigure, fact: Fact, told: ReturnType<typeof findDirection>): ViolationRule | null {
  const is_negative = fact.value < 0;
  if (figure.sign !== null) {
    if (fact.value !== 0 && (figure.sign === "-") !== is_negative) return "direction_mismatch";
    // A minus sign states the direction by itself; a word in another clause is about something else.
    if (!told.in_clause) return null;
  }
  if (!is_negative && fact.kind === "level") return null;
  if (told.direction === undefined || fact.value === 0) {
    return is_negative && figure.sign === null ? "missing_sign" : null;
  }
  return (told.direction === "down") === is_negative ? null : "direction_mismatch";
}

/** Words that tie what follows to the figure before: "the $150 of SOL", "os US$ 150 do SOL". */
const OF: ReadonlySet<string> = new Set(["of", "for", "de", "do", "da"]);
/** These may tie it too ("US$ 150 pela Solana"), or say how it was calculated ("R$ 5,29 pela PTAX"). */
const BY: ReadonlySet<string> = new Set(["pelo", "pela"]);
const ARTICLES: ReadonlySet<string> = new Set(["the", "o", "a"]);

/** The subject right after a figure, joined by "of". */
function findOwner(figure: TextFigure, about: string, { tokens, mentions }: Surroundings): Mention | undefined {
  const tie = tokens[figure.end]?.folded ?? "";
  if (!OF.has(tie) && !BY.has(tie)) return undefined;
  const start = figure.end + (ARTICLES.has(tokens[figure.end + 1]?.folded ?? "") ? 2 : 1);
  const next = mentions.after(figure.end);
  if (next?.start !== start) return undefined;
  return OF.has(tie) || next.subjects.has(about) ? next : undefined;
}

function checkSubject(figure: TextFigure, fact: Fact, around: Surroundings): ViolationRule | null {
  if (fact.about === null) return null;
  const { tokens, mentions } = around;
  const sentence = tokens[figure.start]?.sentence;
  const near =
    findOwner(figure, fact.about, around) ??
    [mentions.before(figure.start), mentions.after(figure.end)].find(
      (one) => one && tokens[one.start]?.sentence === sentence,
    );
  return near && !near.subjects.has(fact.about) ? "wrong_subject" : null;
}

function judge(figure: TextFigure, fact: Fact, around: Surroundings): ViolationRule | null {
  const { tokens } = around;
  const sign = checkSign(figure, fact, findDirection(figure, tokens, around.directions));
  if (sign !== null) return sign;
  const subject = checkSubject(figure, fact, around);
  if (subject !== null) return subject;
  const here = tokens[figure.start];
  if (fact.window === null || !here) return null;
  const { clause, sentence } = around.windows();
  const windows = clause.get(here.clause) ?? sentence.get(here.sentence);
  return windows && !windows.has(readWindow(fact.window)) ? "wrong_window" : null;
}

const COMPARING = createPhrases(COMPARISONS);
const COMPARED_WITHIN = 6;

interface ShownFact {
  readonly figure: TextFigure;
  readonly fact: ListedFact;
}

/**
 * Finds a comparison between two figures of one kind in one sentence. Its words say which figure is larger; they do not
 * say in which direction either figure moved.
 */
function listComparing(tokens: readonly Token[], figures: readonly TextFigure[]): ReadonlySet<number> {
  const places = new Set<number>();
  const around = createNearest(figures, tokens.length);
  for (let at = 0; at < tokens.length; at += 1) {
    if (((tokens[at]?.roles ?? 0) & ROLE.comparison) === 0) continue;
    const found = findPhrase(tokens, at, COMPARING);
    const [left, right] = [around.before(at), around.after(at)];
    if (!found || !left || !right || left.written !== right.written || right.start - at > COMPARED_WITHIN) continue;
    const sentence = tokens[at]?.sentence;
    if ([left, right].some((one) => tokens[one.start]?.sentence !== sentence)) continue;
    for (let word = at; word < at + found.length; word += 1) places.add(word);
  }
  return places;
}

/** Whether the way a figure is written shows the sign of its fact. */
const isSigned = ({ figure, fact }: ShownFact): boolean => fact.value >= 0 || figure.sign === "-";

/** Comparisons that name the smaller figure as the larger one: "13.02 % is above 13.47 %". */
function checkComparisons(tokens: readonly Token[], shown: readonly ShownFact[]): readonly Violation[] {
  const violations: Violation[] = [];
  let next = 0;
  const last = new Map<string, ShownFact>();
  for (let at = 0; at < tokens.length; at += 1) {
    while (next < shown.length && (shown[next]?.figure.end ?? 0) <= at) {
      const one = shown[next];
      if (one) last.set(one.figure.written, one);
      next += 1;
    }
    if (((tokens[at]?.roles ?? 0) & ROLE.comparison) === 0) continue;
    const found = findPhrase(tokens, at, COMPARING);
    if (!found) continue;
    const right = shown[next];
    if (!right || right.figure.start - at > COMPARED_WITHIN) continue;
    const left = last.get(right.figure.written);
    const sentence = tokens[at]?.sentence;
    const is_one_sentence = [left, right].every((one) => one && tokens[one.figure.start]?.sentence === sentence);
    if (!left || !is_one_sentence || !isSigned(left) || !isSigned(right)) continue;
    if (left.fact.unit !== right.fact.unit) continue;
    const is_more = left.fact.value > right.fact.value;
    if (is_more !== (found.value === "more")) {
      violations.push({ rule: "wrong_comparison", text: `${left.figure.text} … ${right.figure.text}` });
    }
  }
  return violations;
}

function listWindows({ tokens, stretches }: ReadText): NamedWindows {
  const windows = { clause: new Map<number, Set<string>>(), sentence: new Map<number, Set<string>>() };
  for (const { start, window } of stretches) {
    for (const part of ["clause", "sentence"] as const) {
      const key = tokens[start]?.[part] ?? -1;
      const known = windows[part].get(key) ?? new Set();
      windows[part].set(key, known.add(nameWindow(window)));
    }
  }
  return windows;
}

/** Checks every figure of a text: it must show a cited fact, with the fact's sign, subject and stretch of time. */
export function checkFigures({ read, cited, all, directions }: FigureContext): readonly Violation[] {
  const { tokens, figures, mentions } = read;
  const comparing = listComparing(tokens, figures);
  const around: Surroundings = {
    tokens,
    directions: createNearest(
      directions.filter(({ start }) => !comparing.has(start)),
      tokens.length,
    ),
    mentions: createNearest(mentions, tokens.length),
    windows: once(() => listWindows(read)),
  };
  const violations: Violation[] = [];
  const shown: ShownFact[] = [];
  for (const figure of figures) {
    const facts = cited.find(figure);
    let first: ViolationRule | null = null;
    const fact = facts.find((one) => {
      const rule = judge(figure, one, around);
      first ??= rule;
      return rule === null;
    });
    if (fact) {
      shown.push({ figure, fact });
      continue;
    }
    const elsewhere = facts.length === 0 && all.find(figure).length > 0;
    const rule = first ?? (elsewhere ? "wrong_citation" : "not_in_facts");
    violations.push({ rule, text: figure.text });
  }
  return [...violations, ...checkComparisons(tokens, shown)];
}
