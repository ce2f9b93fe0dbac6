import { Type } from "@sinclair/typebox";
import { type FetchContext, NodeError, outcomeOf, type Writing, writeBlocks } from "intel-node";
import { DAY_MS } from "intel-node/providers/bars";
import { loadManyBars } from "intel-node/series/load-bars";
import { COINS } from "../council/schema.ts";
import { readCoinHeadlines } from "../shared/news/coin-headlines.ts";
import { type Candidate, listMetrics, pickTopic, type Topic, toCandidate } from "./metrics.ts";
import { planResearch } from "./prose.ts";
import { Calendar, FearGreed, type Part, type ResearchStory } from "./story.ts";

/** A year of readings, with the days the first of them are made of, and those after similar days. */
const BARS = 396;
const CALENDAR_DAYS = 7;

const Anomalies = Type.Object({
  anomalies: Type.Array(
    Type.Object({
      ...{ type: Type.String(), symbol: Type.String(), value: Type.Number() },
      rz: Type.Union([Type.Number(), Type.Null()]),
    }),
  ),
});
export interface ResearchInputs extends ResearchStory {
  readonly anomalies_known: boolean;
  readonly missing: readonly string[];
  readonly writing: Writing;
}

/** What /anomalias found odd about the coins, of that which has a deviation. */
const listOdd = (part: Part<typeof Anomalies>): readonly Candidate[] =>
  (part.ok ? part.value.data.anomalies : []).flatMap(({ type, symbol, value, rz }) =>
    rz === null || !COINS.some((coin) => coin === symbol)
      ? []
      : [
          {
            ...{
              id: `${symbol.toLowerCase()}_${type}`,
              label: `${symbol} ${type.replaceAll("_", " ")}`,
              about: symbol,
            },
            ...{ value, unit: "number" as const, z: rz, metric: null },
          },
        ],
  );

/**
 * Every metric judged, the most unusual told.
 * @param readPrevious topics of the last editions.
 * @throws NodeError when Bitcoin's daily bars, or a year of any coin's, cannot be had.
 */
export async function fetchResearch(
  context: FetchContext,
  readPrevious: (context: FetchContext) => Promise<readonly Topic[]>,
): Promise<ResearchInputs> {
  const requests = COINS.map(
    (symbol) => ({ symbol, interval: "1d", count: BARS, count_min: BARS, grace: true }) as const,
  );
  const [bars, odd, calendar, fear_greed, previous] = await Promise.all([
    loadManyBars(context, requests),
    outcomeOf(context.ask("/anomalias", { threshold: 0.5 }, Anomalies)),
    outcomeOf(context.ask("/macro-calendar", { days: CALENDAR_DAYS }, Calendar)),
    outcomeOf(context.ask("/fear-greed", {}, FearGreed)),
    readPrevious(context),
  ]);
  const series = bars.flatMap((one) => (one.ok ? [one.value] : []));
  const metrics = listMetrics(series).flatMap(toCandidate);
  const breadth = metrics.find(({ id }) => id === "breadth");
  if (!breadth) {
    const message = "A year of daily bars of Bitcoin and four more coins could not be had. Nothing was charged.";
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 60 });
  }
  const candidates = [...metrics, ...listOdd(odd)];
  const { topic, runners_up } = pickTopic(candidates, previous);
  const told = topic ?? breadth;
  const story: ResearchStory = {
    ...{ kind: topic ? "unusual" : "quiet", topic: told, scanned: candidates.length, series, calendar, fear_greed },
    runners_up: topic ? runners_up : [],
    texts: await readCoinHeadlines(context, told.about),
    as_of_ms: Math.max(...series.map(({ bars }) => (bars.at(-1)?.t_ms ?? 0) + DAY_MS)),
    now_ms: context.now_ms,
  };
  const known = new Set(series.map(({ symbol }) => symbol));
  return {
    ...story,
    anomalies_known: odd.ok,
    missing: COINS.filter((symbol) => !known.has(symbol)),
    writing: await writeBlocks(planResearch(story), context.model),
  };
}
