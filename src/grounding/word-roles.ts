import {
  ADVICE,
  CAUSES,
  CLAUSE_WORDS,
  COMPARISONS,
  CONDITIONALS,
  DOWN_WORDS,
  EXTREME_GROUPS,
  MONTHS,
  NEGATIONS,
  QUANTITIES,
  SPELLED,
  SPELLED_ONE,
  STOP_WORDS,
  UP_WORDS,
  WEEKDAYS,
  WEEKDAYS_PT,
} from "./lexicon.ts";

/** The roles a word may have for the guard, one bit each. */
export const ROLE = {
  /** States a direction up or down, or denies one. */
  pointer: 1,
  spelled: 2,
  /** "one", "um": a number only beside what is counted. */
  one: 4,
  extreme: 8,
  conditional: 16,
  /** May begin a date. */
  date: 32,
  english: 64,
  portuguese: 128,
  /** The next four: may begin a phrase of that kind. */
  quantity: 256,
  advice: 512,
  cause: 1_024,
  comparison: 2_048,
  /** Begins a clause. */
  clause: 4_096,
  /** Is written with a capital, which depends on the text and not on the word. */
  capital: 8_192,
  /** The next two: punctuation after which a sentence may begin, and after which a clause begins. */
  ends_sentence: 16_384,
  ends_clause: 32_768,
} as const;

const firstWord = (phrase: string): string => phrase.split(" ", 1)[0] ?? "";

const LISTS: readonly (readonly [role: number, words: Iterable<string>])[] = [
  [ROLE.pointer, [...UP_WORDS, ...DOWN_WORDS, ...NEGATIONS]],
  [ROLE.spelled, SPELLED],
  [ROLE.one, SPELLED_ONE],
  [ROLE.extreme, EXTREME_GROUPS.keys()],
  [ROLE.conditional, CONDITIONALS],
  [ROLE.date, [MONTHS, WEEKDAYS, WEEKDAYS_PT].flatMap((words) => Object.keys(words))],
  [ROLE.english, STOP_WORDS.en],
  [ROLE.portuguese, STOP_WORDS["pt-BR"]],
  [ROLE.quantity, QUANTITIES.map(([phrase]) => firstWord(phrase))],
  [ROLE.advice, ADVICE.map(firstWord)],
  [ROLE.cause, CAUSES.map(firstWord)],
  [ROLE.comparison, COMPARISONS.map(([phrase]) => firstWord(phrase))],
  [ROLE.clause, CLAUSE_WORDS],
  [ROLE.ends_sentence, [".", "!", "?", "…"]],
  [ROLE.ends_clause, [",", ";", ":", "(", ")", "|", "/"]],
];

/**
 * The roles of each word and punctuation mark that has any, folded. Each word of a text is looked up here once, so that
 * no later step has to search a list of its own for every word.
 */
export const WORD_ROLES: ReadonlyMap<string, number> = LISTS.reduce((all, [role, words]) => {
  for (const word of words) all.set(word, (all.get(word) ?? 0) | role);
  return all;
}, new Map<string, number>());
