import { NO_FUNDING, type Positioning } from "../derivatives/stored-funding.ts";
import { keepDistinct } from "../news/distinct-titles.ts";
import { readTokens, scoreTokens } from "../news/score-headline.ts";
import type { MarketNews } from "../news/stored-news.ts";
import { isToneScope } from "../news/stored-tone.ts";
import type { SentimentReadings } from "./readings.ts";

export const COMPONENTS = ["headlines", "gdelt_tone", "positioning", "hn"] as const;
export type SentimentComponent = (typeof COMPONENTS)[number];

export const WEIGHTS: Readonly<Record<SentimentComponent, number>> = {
  headlines: 0.4,
  gdelt_tone: 0.2,
  positioning: 0.25,
  hn: 0.15,
};

export interface Component {
  readonly name: SentimentComponent;
  /** -100 to 100; null with a reason. */
  readonly value: number | null;
  /** Its input: a mean score, a mean tone, funding in percent per year. */
  readonly raw: number | null;
  readonly n: number;
  /** Time of its newest datum, ms. */
  readonly at_ms: number | null;
  readonly why_null: string | null;
  /** That it is made of less than usual, though it has a value. */
  readonly made_of?: string;
}

export interface ScoredNews extends MarketNews {
  readonly score: number;
}

const HOUR_MS = 3_600_000;
const HALF_LIFE_H = 12;
/** Real tones lie within about -5 and 5. */
const TONE_SCALE = 5;
/** A funding of 60 % a year, and a change of open interest of 15 % a day, are as strong as it gets. */
const FUNDING_SCALE_PCT = 60;
const INTEREST_SCALE_FRAC = 0.15;
const FUNDING_SHARE = 0.6;
const INTEREST_SHARE = 0.4;

const clamp = (value: number): number => Math.max(-1, Math.min(1, value));

function createComponent(name: SentimentComponent, known: Partial<Component> & Pick<Component, "why_null">): Component {
  return { name, value: null, raw: null, n: 0, at_ms: null, ...known };
}

interface WeightedScore {
  readonly score: number;
  readonly weight: number;
}

function getMean(scores: readonly WeightedScore[]): number | null {
  const total = scores.reduce((sum, { weight }) => sum + weight, 0);
  return total > 0 ? scores.reduce((sum, { score, weight }) => sum + score * weight, 0) / total : null;
}

/** Distinct titles with their scores, in their order. */
function scoreTitles<T extends { readonly title: string }>(titles: readonly T[]): readonly (T & { score: number })[] {
  const read = titles.map((title) => ({ title, tokens: readTokens(title.title) }));
  return keepDistinct(read).map(({ title, tokens }) => ({ ...title, score: scoreTokens(tokens) }));
}

export const scoreNews = (news: readonly MarketNews[]): readonly ScoredNews[] => scoreTitles(news);

/** 100 x mean of the scores, each with the weight 0.5^(age / 12 h); headlines without a known word count as 0. */
function getHeadlines(scored: readonly ScoredNews[] | null, now_ms: number): Component {
  if (scored === null) return createComponent("headlines", { why_null: "no feed was read within the last hour" });
  const mean = getMean(
    scored.map(({ score, at_ms }) => ({ score, weight: 0.5 ** ((now_ms - at_ms) / HOUR_MS / HALF_LIFE_H) })),
  );
  if (mean === null) return createComponent("headlines", { why_null: "no headline of the last 48 h is about it" });
  const at_ms = Math.max(...scored.map((one) => one.at_ms));
  return createComponent("headlines", { value: 100 * mean, raw: mean, n: scored.length, at_ms, why_null: null });
}

function getTone({ scope, tone }: SentimentReadings): Component {
  if (!isToneScope(scope)) {
    return createComponent("gdelt_tone", { why_null: "read for the market, BTC, ETH and SOL only" });
  }
  if (!tone) return createComponent("gdelt_tone", { why_null: "no tone of the last 6 h is stored" });
  const value = 100 * clamp(tone.mean / TONE_SCALE);
  return createComponent("gdelt_tone", { value, raw: tone.mean, n: tone.n, at_ms: tone.newest_at_ms, why_null: null });
}

/**
 * How leverage leans, not what should follow: funding, and whether open interest grows with it. Without the change of
 * open interest it is funding alone.
 * @returns -100 to 100
 */
export function getPositioningValue(funding_apr_pct: number, interest_change_24h_frac: number | null): number {
  const whole = 100 * clamp(funding_apr_pct / FUNDING_SCALE_PCT);
  if (interest_change_24h_frac === null) return whole;
  const funding = whole * FUNDING_SHARE;
  const interest = 100 * clamp(interest_change_24h_frac / INTEREST_SCALE_FRAC) * Math.sign(funding_apr_pct);
  return funding + interest * INTEREST_SHARE;
}

function getPositioning(positioning: Positioning | null): Component {
  if (!positioning) return createComponent("positioning", { why_null: NO_FUNDING });
  const { funding_apr_pct, interest_change_24h_frac, fetched_at_ms } = positioning;
  const value = getPositioningValue(funding_apr_pct, interest_change_24h_frac);
  const known = { value, raw: funding_apr_pct, at_ms: fetched_at_ms, why_null: null };
  if (interest_change_24h_frac !== null) return createComponent("positioning", { ...known, n: 2 });
  const made_of = "funding alone, and nobody states a time of it; no open interest of 24 h ago is stored";
  return createComponent("positioning", { ...known, n: 1, made_of });
}

/** 100 x mean of the scores, each with the weight ln(1 + points). */
function getStories({ stories }: SentimentReadings): Component {
  if (!stories.ok) return createComponent("hn", { why_null: "Hacker News could not be searched" });
  const scored = scoreTitles(stories.value);
  const mean = getMean(scored.map(({ score, points }) => ({ score, weight: Math.log(1 + points) })));
  if (mean === null) return createComponent("hn", { why_null: "no story of the last 72 h with points is about it" });
  const at_ms = Math.max(...scored.map((one) => one.at_ms));
  return createComponent("hn", { value: 100 * mean, raw: mean, n: scored.length, at_ms, why_null: null });
}

/** The four components in their usual order. `scored` are the readings' headlines, scored. */
export const getComponents = (
  readings: SentimentReadings,
  scored: readonly ScoredNews[] | null,
  now_ms: number,
): readonly Component[] => [
  getHeadlines(scored, now_ms),
  getTone(readings),
  getPositioning(readings.positioning),
  getStories(readings),
];

export interface Weighed {
  readonly score: number;
  /** Sum of the weights of the components that have a value, 0-1. */
  readonly available: number;
}

/** Mean of the components that have a value, their weights scaled to 1; null when none has. */
export function weighComponents(components: readonly Component[]): Weighed | null {
  const known = components.filter(({ value }) => value !== null);
  const available = known.reduce((sum, { name }) => sum + WEIGHTS[name], 0);
  if (available === 0) return null;
  const score = known.reduce((sum, { name, value }) => sum + WEIGHTS[name] * (value ?? 0), 0) / available;
  return { score, available };
}
