import { type FetchContext, outcomeOf } from "intel-node";
import { type PublishedFact, PublishedFacts } from "../written/published-facts.ts";
import { findCoin } from "./question.ts";
import { findTopics, pickFacts } from "./topics.ts";

/** What one written product said of a question. */
export interface FactsPart {
  /** How names of its facts begin. */
  readonly from: string;
  readonly as_of_ms: number;
  readonly facts: readonly PublishedFact[];
}

export interface AskedFacts {
  /** What is about the question first, then the morning brief, then the council on a coin that is named. */
  readonly parts: readonly FactsPart[];
  readonly warnings: readonly string[];
  /** Why the morning brief's facts are not among them; null when they are. */
  readonly brief_error: unknown;
}

/** What a question gathers of one topic: models read all of it, three times. */
const FACTS_MAX = 30;

/** The node's own facts: of its morning brief, of what the question is about, and of the council on a coin it names. */
export async function askFacts(context: Pick<FetchContext, "ask">, question: string): Promise<AskedFacts> {
  const symbol = findCoin(question);
  const topics = findTopics(question);
  const [brief, council, ...of_topics] = await Promise.all([
    outcomeOf(context.ask("/global-morning-brief", {}, PublishedFacts)),
    symbol === null ? null : outcomeOf(context.ask("/council", { symbol }, PublishedFacts)),
    ...topics.map(({ path }) => outcomeOf(context.ask(path, {}, PublishedFacts))),
  ]);
  const told = topics.flatMap((topic, index) => {
    const asked = of_topics[index];
    if (!asked?.ok) return [];
    const facts = pickFacts(question, asked.value.data.facts, FACTS_MAX);
    return [{ topic, as_of_ms: asked.value.as_of_ms, facts }];
  });
  const rest = brief.ok ? brief.value.data.facts.filter((fact) => !told.some(({ topic }) => topic.covers(fact))) : [];
  const missing = topics.filter((topic) => !told.some((one) => one.topic === topic));
  return {
    parts: [
      ...told.map(({ topic, as_of_ms, facts }) => ({ from: topic.from, as_of_ms, facts })),
      ...(brief.ok ? [{ from: "brief", as_of_ms: brief.value.as_of_ms, facts: rest }] : []),
      ...(council?.ok ? [{ from: "council", as_of_ms: council.value.as_of_ms, facts: council.value.data.facts }] : []),
    ],
    warnings: [
      ...(council?.ok === false ? [`facts: the council on ${symbol} could not be had`] : []),
      ...missing.map(({ path }) => `facts: ${path} could not be had`),
    ],
    brief_error: brief.ok ? null : brief.error,
  };
}
