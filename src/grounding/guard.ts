import { once } from "../core/once.ts";
import { checkFigures, listDirections } from "./check-figures.ts";
import { checkWords } from "./check-words.ts";
import { readKnownDates } from "./dates.ts";
import { dayOf, type FactsPack, type NumberLocale, type SentenceBlock } from "./facts.ts";
import type { TextFigure } from "./figures.ts";
import { MARKET_WORDS, STOP_WORDS } from "./lexicon.ts";
import { createFactIndex } from "./match-figure.ts";
import { takeQuotations } from "./quotations.ts";
import { prepareTerms, type ReadText, readText, readWindow } from "./read-text.ts";
import { fold, type Token } from "./tokens.ts";
import type { Violation } from "./violations.ts";
import { ROLE } from "./word-roles.ts";

/** The most words a block may have; up to 15 % more are tolerated. */
const WORDS_SLACK = 1.15;
const CHARS_MAX = 200_000;
/** How many stop words of the other language a text may have before it counts as written in that language. */
const FOREIGN_MIN = 4;
const MARKUP = /https?:|www\.|\]\(|[<>{}`*#|\\]|[^\s@]@[^\s@]/i;
const WORD = /[\p{L}][\p{L}\p{N}]*/gu;
const MARKS = /\[[FNQ]\d{1,4}\]/g;

export interface GuardRules {
  readonly words_max?: number;
  /** Each sentence must be about something the model was given. A stranger's order is mostly about something else. */
  readonly by_model?: boolean;
}

export interface Guard {
  /** The violations of a block; an empty list means that it may be shown. */
  check(block: SentenceBlock, rules?: GuardRules): readonly Violation[];
}

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Links and markup. Domains of the pack's texts are read as terms; any other words joined by a dot are a link. */
function* checkForm(text: string, { tokens, is_read }: ReadText): Generator<Violation> {
  const markup = MARKUP.exec(text);
  if (markup) yield { rule: "form", text: cut(text.slice(markup.index)) };
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.text !== "." || !token.is_glued || is_read[at]) continue;
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    if (!after?.is_glued || after.kind !== "word") continue;
    if (before && before.kind !== "mark") yield { rule: "form", text: cut(`${before.text}.${after.text}`) };
  }
}

function isForeign(tokens: readonly Token[], locale: NumberLocale): boolean {
  let [english, portuguese] = [0, 0];
  for (const { roles } of tokens) {
    if ((roles & ROLE.english) !== 0) english += 1;
    if ((roles & ROLE.portuguese) !== 0) portuguese += 1;
  }
  const [own, foreign] = locale === "en" ? [english, portuguese] : [portuguese, english];
  return foreign >= FOREIGN_MIN && foreign > own;
}

/** Words of trusted origin: labels, subjects, identifiers, sources, and the publishers of the texts. */
function listVocabulary(pack: FactsPack): ReadonlySet<string> {
  const trusted = [
    ...pack.facts.flatMap(({ label, from }) => [label, from]),
    ...pack.identifiers,
    ...Object.entries(pack.subjects).flatMap(([subject, aliases]) => [subject, ...aliases]),
    ...pack.texts.map(({ domain }) => domain),
  ];
  return new Set(trusted.flatMap((one) => fold(one).match(WORD) ?? []));
}

/** Shorter words say nothing about the subject. */
const TOPIC_CHARS_MIN = 4;

/** Words that a text may be about: those of its facts, of texts it may quote, of its question, and of markets. */
function listTopics({ texts }: FactsPack, vocabulary: ReadonlySet<string>, foreign: readonly string[]) {
  const calm = texts.filter(({ suspicious }) => !suspicious);
  const told = [...calm.flatMap(({ title, excerpt }) => [title, excerpt ?? ""]), ...foreign];
  const words = [...vocabulary, ...told.flatMap((one) => fold(one).match(WORD) ?? [])];
  const isTopic = (word: string) =>
    word.length >= TOPIC_CHARS_MIN && !STOP_WORDS.en.has(word) && !STOP_WORDS["pt-BR"].has(word);
  return new Set([...words.filter(isTopic), ...MARKET_WORDS]);
}

/** Sentences of a model that have no figure, day, subject or word of the material it was given. */
function* checkTopics({ tokens, is_read }: ReadText, topics: ReadonlySet<string>): Generator<Violation> {
  let words: string[] = [];
  let is_on_topic = true;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || token.sentence !== tokens[at - 1]?.sentence) {
      if (!is_on_topic && words.length > 0) yield { rule: "off_topic", text: cut(words.join(" ")) };
      [words, is_on_topic] = [[], false];
    }
    if (!token || token.kind === "mark") continue;
    words.push(token.text);
    is_on_topic ||= is_read[at] === true || topics.has(token.folded);
  }
}

/** The bare year of a day that may be named does not count as a figure. */
const isYear = ({ value, written, text }: TextFigure, years: ReadonlySet<string>): boolean =>
  written === "bare" && value !== null && years.has(text);

/**
 * The guard of a pack finds every figure, date, name, quotation and direction in a text that the pack does not hold. It
 * stops inventions; it does not prove that a causal sentence is true. Its time grows only with the length of the text.
 * @param foreign lines of strangers that the text may speak of, such as the question it answers; nothing in them is a
 * fact.
 */
export function createGuard(pack: FactsPack, locale: NumberLocale, foreign: readonly string[] = []): Guard {
  const terms = prepareTerms(pack);
  const vocabulary = listVocabulary(pack);
  const listed = once(() => listTopics(pack, vocabulary, foreign));
  const dates = readKnownDates(pack);
  const years = new Set(pack.dates.map((one) => dayOf(one).slice(0, 4)));
  const windows = new Set(pack.windows.map(readWindow));
  const known = new Map(pack.facts.map((fact) => [fact.id, fact]));
  const all = createFactIndex(pack.facts);
  const texts = new Map(pack.texts.map((text) => [text.id, text]));
  return {
    check(block, { words_max, by_model = false } = {}) {
      if (block.text.length > CHARS_MAX) return [{ rule: "too_long", text: `${block.text.length} characters` }];
      if (block.text.trim() === "") return [{ rule: "empty", text: "" }];
      const violations: Violation[] = [];
      for (const id of block.facts) if (!known.has(id)) violations.push({ rule: "unknown_fact", text: id });
      for (const id of block.sources) if (!texts.has(id)) violations.push({ rule: "unknown_source", text: id });
      const { text, wrong } = takeQuotations({ ...block, text: block.text.replace(MARKS, " ") }, pack);
      for (const quotation of wrong) violations.push({ rule: "unknown_quote", text: cut(quotation) });
      const read = readText(text, locale, terms);
      for (const violation of checkForm(text, read)) violations.push(violation);
      const cited = block.facts.flatMap((id) => known.get(id) ?? []);
      const index = createFactIndex(cited);
      const figures = read.figures.filter((figure) => !isYear(figure, years) || index.find(figure).length > 0);
      const shown = { ...read, figures };
      const directions = listDirections(read.tokens);
      for (const violation of checkFigures({ read: shown, cited: index, all, directions })) violations.push(violation);
      const has_sources = block.sources.length > 0;
      const words_of = { read: shown, cited, has_sources, vocabulary, dates, windows, directions };
      for (const violation of checkWords(words_of)) violations.push(violation);
      if (by_model) violations.push(...checkTopics(read, listed()));
      if (isForeign(read.tokens, locale)) violations.push({ rule: "wrong_language", text: "" });
      if (words_max !== undefined) {
        const words = text.split(/\s+/).filter((word) => word !== "").length;
        if (words > words_max * WORDS_SLACK) violations.push({ rule: "too_long", text: `${words} words` });
      }
      return violations;
    },
  };
}
