import type { PublishedFact } from "../shared/written/published-facts.ts";

/** A written product whose facts are gathered for a question on what it is about. */
export interface Topic {
  /** How names of its facts begin. */
  readonly from: string;
  readonly path: "/br-brief";
  /** Words of a question, in lower case and without accents. */
  readonly words: readonly string[];
  /** Facts of the morning brief that its own ones stand for: a second telling may be of another hour. */
  readonly covers: (fact: PublishedFact) => boolean;
}

const TOPICS: readonly Topic[] = [
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

/** What a question gathers of one topic: models read all of it, three times. */
const FACTS_MAX = 30;

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  );

/** The topics that a question names. */
export function findTopics(question: string): readonly Topic[] {
  const asked = wordsOf(question);
  return TOPICS.filter(({ words }) => words.some((word) => asked.has(word)));
}

/** The facts that share most words with the question, in their own order; the first ones where none does. */
export function pickFacts(question: string, facts: readonly PublishedFact[]): readonly PublishedFact[] {
  const asked = wordsOf(question);
  const shared = ({ label, about }: PublishedFact): number =>
    [...wordsOf(`${label} ${about ?? ""}`)].filter((word) => asked.has(word)).length;
  const chosen = new Set(facts.toSorted((a, b) => shared(b) - shared(a)).slice(0, FACTS_MAX));
  return facts.filter((fact) => chosen.has(fact));
}
