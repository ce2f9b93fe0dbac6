import { type Computed, type Draft, missing, NodeError, renderTime, warnWithheld } from "intel-node";
import { describeSample, NO_FUNDING, type Positioning } from "../derivatives/stored-funding.ts";
import { LEXICON_VERSION } from "../news/score-headline.ts";
import {
  type Component,
  getComponents,
  type ScoredNews,
  scoreNews,
  WEIGHTS,
  weighComponents,
} from "../scores/components.ts";
import { HEADLINES_WINDOW_H, type SentimentReadings } from "../scores/readings.ts";
import type { StoredScore } from "../scores/stored-scores.ts";
import type { SentimentInputs } from "./fetch.ts";
import type { SentimentData, SentimentLabel } from "./schema.ts";

/** So many headlines are enough to be sure of. */
const HEADLINES_FULL = 20;
const TITLES_SHOWN = 3;
const STRONG = 40;
const WEAK = 15;

export function labelOf(score: number): SentimentLabel {
  if (score >= STRONG) return "very_bullish";
  if (score >= WEAK) return "bullish";
  if (score > -WEAK) return "neutral";
  return score > -STRONG ? "bearish" : "very_bearish";
}

export interface Sentiment {
  readonly score: number;
  readonly confidence: number;
  readonly components: readonly Component[];
  readonly scored: readonly ScoredNews[];
  /** Sum of the weights with data. */
  readonly available: number;
  /** Names of the components with data. */
  readonly parts: readonly string[];
}

/**
 * The reading of one coin, unrounded.
 * @throws NodeError upstream_unavailable without headlines and positioning.
 */
export function readSentiment(readings: SentimentReadings, now_ms: number): Sentiment {
  const scored = readings.headlines === null ? null : scoreNews(readings.headlines);
  const components = getComponents(readings, scored, now_ms);
  const weighed = weighComponents(components);
  const has = (name: string) => components.some((one) => one.name === name && one.value !== null);
  if (!weighed || !(has("headlines") || has("positioning"))) {
    const message = `Neither headlines nor positioning of ${readings.scope} are to be had. Nothing was charged.`;
    throw new NodeError("upstream_unavailable", message, { retry_after_s: 60 });
  }
  // A component made of less than usual is another one when days are compared.
  const parts = components.flatMap(({ name, value, n, made_of }) =>
    value === null ? [] : [made_of === undefined ? name : `${name}:${n}`],
  );
  const confidence = Math.min(1, (scored?.length ?? 0) / HEADLINES_FULL) * weighed.available;
  return { ...weighed, confidence, components, scored: scored ?? [], parts };
}

/** The part that a job keeps, for the change of a day later. */
export const toStoredScore = ({ score, parts }: Sentiment): StoredScore => ({
  score,
  parts,
  lexicon_version: LEXICON_VERSION,
});

function getChange({ score, parts }: Sentiment, yesterday: StoredScore | null): Draft<number | null> {
  if (!yesterday) return missing("no score of 24 h ago is stored");
  if (yesterday.lexicon_version !== LEXICON_VERSION || yesterday.parts.join() !== parts.join()) {
    return missing("the score of 24 h ago was made of other components or words");
  }
  return score - yesterday.score;
}

function describeTitles(scored: readonly ScoredNews[], sign: 1 | -1): SentimentData["top_positive"] {
  return scored
    .filter(({ score }) => score * sign > 0)
    .sort((a, b) => sign * (b.score - a.score) || b.at_ms - a.at_ms)
    .slice(0, TITLES_SHOWN)
    .map(({ title, url, source, at_ms, score }) => ({
      title,
      url,
      source,
      published_at: renderTime(at_ms),
      score,
    }));
}

function describePositioning(positioning: Positioning | null): Draft<SentimentData["positioning"]> {
  if (!positioning) return missing(NO_FUNDING);
  const { funding_apr_pct, open_interest_usd, interest_change_24h_frac: change } = positioning;
  return {
    funding_apr_pct,
    open_interest_usd,
    open_interest_change_24h_pct: change === null ? missing("no open interest of 24 h ago is stored") : change * 100,
  };
}

function addWarnings(sentiment: Sentiment, readings: SentimentReadings, warnings: string[]): void {
  for (const { name, made_of } of sentiment.components) {
    if (made_of !== undefined) warnings.push(`components.${name}: ${made_of}`);
  }
  if (sentiment.components.some(({ value }) => value === null))
    warnings.push("score: the weights of the other components are scaled to 1");
  if (sentiment.components.every(({ name, value }) => value === null || name === "positioning")) {
    warnings.push(
      "components.positioning: no source of this score states a time; it is taken to be as new as the call",
    );
  }
  if (readings.headlines !== null) warnings.push(...warnWithheld("components.headlines", readings.withheld));
  if (readings.headlines !== null && readings.missing_feeds.length > 0) {
    warnings.push(`components.headlines: without ${readings.missing_feeds.join(", ")}, not read within the last hour`);
  }
}

/**
 * How news, tone, leverage and developers speak of a coin; no price is in it.
 * @throws NodeError upstream_unavailable
 */
export function computeSentiment(
  { readings, yesterday }: Omit<SentimentInputs, "stored">,
  { now_ms }: { readonly now_ms: number },
): Computed<Draft<SentimentData>> {
  const sentiment = readSentiment(readings, now_ms);
  const { score, available, components, scored } = sentiment;
  const warnings: string[] = [];
  addWarnings(sentiment, readings, warnings);
  const sampled = readings.positioning && describeSample(readings.positioning, now_ms);
  if (sampled) warnings.push(`positioning: ${sampled}`);
  const data: Draft<SentimentData> = {
    symbol: readings.scope,
    score,
    label: labelOf(score),
    confidence: sentiment.confidence,
    components: components.map(({ name, value, raw, n, at_ms, why_null }) => ({
      name,
      value: value ?? missing(why_null ?? "unknown"),
      raw: raw ?? missing(why_null ?? "unknown"),
      weight: value === null ? 0 : WEIGHTS[name] / available,
      n,
      as_of: at_ms === null ? missing(why_null ?? "unknown") : renderTime(at_ms),
    })),
    positioning: describePositioning(readings.positioning),
    change_24h: getChange(sentiment, yesterday),
    top_positive: describeTitles(scored, 1),
    top_negative: describeTitles(scored, -1),
    lexicon_version: LEXICON_VERSION,
    window_h: HEADLINES_WINDOW_H,
  };
  const times = components.flatMap(({ value, at_ms }) => (value === null || at_ms === null ? [] : [at_ms]));
  return { as_of_ms: Math.max(...times), data, warnings };
}
