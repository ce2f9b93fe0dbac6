import { Type } from "@sinclair/typebox";
import { type FetchContext, NodeError, outcomeOf, type Writing, writeBlocks } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { loadManyBars } from "intel-node/series/load-bars";
import { COINS } from "../council/schema.ts";
import { readCoinHeadlines } from "../news/coin-headlines.ts";
import { askFacts } from "../questions/ask-facts.ts";
import { findCoin } from "../questions/question.ts";
import { countShared } from "../questions/topics.ts";
import { toDrafts } from "../written/published-facts.ts";
import { type BriefTopic, type Candidate, listMetrics, pickOfCoin, pickTopic, toCandidate } from "./metrics.ts";
import { planResearch } from "./prose.ts";
import { type AskedStory, Calendar, FearGreed, type ResearchStory, type StoryPart } from "./story.ts";

/** A year of readings, with the days the first of them are made of, and those after similar days. */
const BARS = 396;
const CALENDAR_DAYS = 7;

const Anomalies = Type.Object({
  anomalies: Type.Array(
    Type.Object({
      type: Type.String(),
      symbol: Type.String(),
      value: Type.Number(),
      rz: Type.Union([Type.Number(), Type.Null()]),
    }),
  ),
});
export interface ResearchInputs extends ResearchStory {
  readonly question: string | null;
  readonly anomalies_known: boolean;
  readonly missing: readonly string[];
  readonly writing: Writing;
  readonly warnings: readonly string[];
}

/** What /anomalias found odd about the coins, of that which has a deviation. */
const listOdd = (part: StoryPart<typeof Anomalies>): readonly Candidate[] =>
  (part.ok ? part.value.data.anomalies : []).flatMap(({ type, symbol, value, rz }) =>
    rz === null || !COINS.some((coin) => coin === symbol)
      ? []
      : [
          {
            id: `${symbol.toLowerCase()}_${type}`,
            label: `${symbol} ${type.replaceAll("_", " ")}`,
            about: symbol,
            value,
            unit: "number" as const,
            z: rz,
            metric: null,
          },
        ],
  );

/** Facts shown for a question: as many as a reader takes in at a glance. */
const TOLD_MAX = 8;

/**
 * The facts a question shares words with, or that are of the coin it names.
 * @throws NodeError subject_not_found for a question on nothing that this node has facts of.
 */
async function askAbout(context: FetchContext, question: string) {
  const symbol = findCoin(question);
  const { parts, warnings, brief_error } = await askFacts(context, question);
  const named = parts.flatMap(({ from, facts }) =>
    toDrafts(from, facts).map(({ name, label, about }) => ({
      name,
      label,
      from,
      shared: countShared(question, { label, about: about ?? null }) + (symbol !== null && about === symbol ? 1 : 0),
    })),
  );
  const told = named
    .filter(({ shared, from }) => shared > 0 || from === "brazil")
    .toSorted((a, b) => b.shared - a.shared)
    .slice(0, TOLD_MAX);
  if (told.length === 0 && symbol === null) {
    if (brief_error) throw brief_error;
    const message = "This node has no facts of what the question is about: it has them of ten coins, macro and Brazil.";
    const about = { param: "question", details: { parameter: "question", got: question.slice(0, 100) } };
    throw new NodeError("subject_not_found", `${message} Nothing was charged.`, about);
  }
  const lost = brief_error ? ["facts: /global-morning-brief could not be had"] : [];
  const asked: AskedStory = { parts, told: told.map(({ name, label }) => ({ name, label })) };
  return { asked, symbol, warnings: [...warnings, ...lost] };
}

/** The topic of a brief: the coin a question names, else the most unusual of all. */
function chooseTopic(
  candidates: readonly Candidate[],
  { symbol, previous }: { readonly symbol: string | null; readonly previous: readonly BriefTopic[] },
) {
  const of_coin = symbol === null ? null : pickOfCoin(candidates, symbol);
  if (of_coin) return { ...of_coin, kind: "asked" as const };
  const { topic, runners_up } = pickTopic(candidates, previous);
  return { topic, runners_up: topic ? runners_up : [], kind: topic ? ("unusual" as const) : ("quiet" as const) };
}

/**
 * Every metric judged, the most unusual shown, or that of the coin a question names, with the facts it asks for.
 * @param readPrevious topics of the last editions.
 * @throws NodeError without Bitcoin's daily bars or a year of any coin's; subject_not_found for a question
 *   on nothing that this node has facts of.
 */
export async function fetchResearch(
  context: FetchContext,
  readPrevious: (context: FetchContext) => Promise<readonly BriefTopic[]>,
  question: string | null = null,
): Promise<ResearchInputs> {
  const requests = COINS.map(
    (symbol) => ({ symbol, interval: "1d", count: BARS, count_min: BARS, grace: true }) as const,
  );
  const [about, bars, odd, calendar, fear_greed, previous] = await Promise.all([
    question === null ? null : askAbout(context, question),
    loadManyBars(context, requests),
    outcomeOf(context.ask("/anomalias", { threshold: 0.5 }, Anomalies)),
    outcomeOf(context.ask("/macro-calendar", { days: CALENDAR_DAYS }, Calendar)),
    outcomeOf(context.ask("/fear-greed", {}, FearGreed)),
    question === null ? readPrevious(context) : [],
  ]);
  const series = bars.flatMap((one) => (one.ok ? [one.value] : []));
  const metrics = listMetrics(series).flatMap(toCandidate);
  const breadth = metrics.find(({ id }) => id === "breadth");
  if (!breadth) {
    const message = "A year of daily bars of Bitcoin and four more coins could not be had. Nothing was charged.";
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 60 });
  }
  const candidates = [...metrics, ...listOdd(odd)];
  const { topic, runners_up, kind } = chooseTopic(candidates, { symbol: about?.symbol ?? null, previous });
  const told = topic ?? breadth;
  const story: ResearchStory = {
    kind,
    topic: told,
    runners_up,
    scanned: candidates.length,
    series,
    calendar,
    fear_greed,
    asked: about?.asked ?? null,
    texts: await readCoinHeadlines(context, told.about),
    as_of_ms: Math.max(...series.map(({ bars }) => (bars.at(-1)?.t_ms ?? 0) + DAY_MS)),
    now_ms: context.now_ms,
  };
  const known = new Set(series.map(({ symbol }) => symbol));
  return {
    ...story,
    question,
    warnings: about?.warnings ?? [],
    anomalies_known: odd.ok,
    missing: COINS.filter((symbol) => !known.has(symbol)),
    writing: await writeBlocks(planResearch(story), context.model),
  };
}
