import type { PublishedFact } from "../written/published-facts.ts";

/** A written product whose facts are gathered for a question on what it is about. */
export interface QuestionTopic {
  /** How names of its facts begin. */
  readonly from: string;
  readonly path: "/br-brief";
  /** Words of a question, in lower case and without accents. */
  readonly words: readonly string[];
  /** Facts of the morning brief that its own ones replace: a second copy may be of another hour. */
  readonly covers: (fact: PublishedFact) => boolean;
}

const TOPICS: readonly QuestionTopic[] = [
  {
    from: "brazil",
    path: "/br-brief",
    words: [
      ...["brazil", "brazilian", "brasil", "brasileiro", "brasileira", "brasileiros", "brl", "selic", "copom", "ipca"],
      ...["ptax", "ibovespa", "bovespa", "b3", "igp", "petrobras", "petr4", "vale3", "tesouro"],
    ],
    covers: ({ from }) => from.startsWith("/br-"),
  },
];

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );

/** The topics that a question names. */
export function findTopics(question: string): readonly QuestionTopic[] {
  const asked = wordsOf(question);
  return TOPICS.filter(({ words }) => words.some((word) => asked.has(word)));
}

/** Words that questions and labels share without being about the same. */
const COMMON: ReadonlySet<string> = new Set([
  ...["the", "and", "for", "are", "was", "has", "had", "its", "this", "that", "what", "which", "when", "how", "why"],
  ...["will", "would", "does", "did", "can", "with", "from", "over", "more", "most", "than", "last", "next", "now"],
  ...["day", "days", "week", "month", "year", "hour", "hours", "price", "change", "level", "market", "markets", "own"],
  ...["qual", "quais", "que", "como", "por", "para", "com", "uma", "esta", "vai", "dos", "das", "hoje", "dia", "ano"],
]);

/** How many words of a question a fact's label and subject share. */
export function countShared(question: string, { label, about }: Pick<PublishedFact, "label" | "about">): number {
  const asked = wordsOf(question);
  const own = [...wordsOf(`${label} ${about ?? ""}`)];
  return own.filter((word) => word.length > 2 && asked.has(word) && !COMMON.has(word)).length;
}

/** The facts that share most words with the question, in their own order; the first ones where none does. */
export function pickFacts(
  question: string,
  facts: readonly PublishedFact[],
  count_max: number,
): readonly PublishedFact[] {
  const ranked = facts.toSorted((a, b) => countShared(question, b) - countShared(question, a));
  const chosen = new Set(ranked.slice(0, count_max));
  return facts.filter((fact) => chosen.has(fact));
}
