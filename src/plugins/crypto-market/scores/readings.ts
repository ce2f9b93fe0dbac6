import { cleanTitles, type FetchContext, type Outcome, outcomeOf } from "intel-node";
import { gdelt } from "intel-node/providers/gdelt/provider";
import { hnAlgolia } from "intel-node/providers/hn-algolia/provider";
import { fetchStories, type Story } from "intel-node/providers/hn-algolia/stories";
import { hyperliquid } from "intel-node/providers/hyperliquid/provider";
import { NEWS_FEEDS } from "intel-node/providers/news-feeds";
import { fetchPositioning, MARKET_COINS, type Positioning } from "../derivatives/stored-funding.ts";
import { createCoinMatcher, getCoinName } from "../news/coins.ts";
import { citeNews, type MarketNews, readNews, type StoredMarketNews } from "../news/stored-news.ts";
import { citeTone, isToneScope, readTone, type StoredTone } from "../news/stored-tone.ts";

export const HEADLINES_WINDOW_H = 48;
const STORIES_WINDOW_H = 72;

export const SENTIMENT_PROVIDERS = [...NEWS_FEEDS.map(({ provider }) => provider), gdelt, hyperliquid, hnAlgolia];

/** What was read about one coin, or about the whole market. */
export interface SentimentReadings {
  /** A symbol, or "market". */
  readonly scope: string;
  /** Headlines of 48 hours that name it, newest first; null when no feed was read lately. */
  readonly headlines: readonly MarketNews[] | null;
  /** Feeds without a reading. */
  readonly missing_feeds: readonly string[];
  /** Headlines that are kept back. */
  readonly withheld: number;
  readonly tone: StoredTone | null;
  /** Of the whole market: of its three largest coins together. */
  readonly positioning: Positioning | null;
  /** Titles of 72 hours that name it. */
  readonly stories: Outcome<readonly Story[]>;
}

const SEARCH_WORDS = (scope: string): string => (scope === "market" ? "cryptocurrency" : getCoinName(scope));

async function readStories(context: FetchContext, scope: string): Promise<Outcome<readonly Story[]>> {
  if (!context.usable(hnAlgolia)) return { ok: false, error: new Error("hn_algolia is switched off") };
  const words = SEARCH_WORDS(scope);
  const outcome = await outcomeOf(fetchStories(context, { words, window_h: STORIES_WINDOW_H }));
  if (!outcome.ok) return outcome;
  if (scope === "market") return { ok: true, value: cleanTitles(outcome.value).shown };
  // The search forgives typing errors; a score does not.
  const isNamed = createCoinMatcher(scope);
  return { ok: true, value: cleanTitles(outcome.value).shown.filter(({ title }) => isNamed(title)) };
}

const pickHeadlines = (scope: string, { items, feeds }: StoredMarketNews): readonly MarketNews[] | null => {
  if (feeds.length === 0) return null;
  if (scope === "market") return items;
  const isNamed = createCoinMatcher(scope);
  return items.filter(({ title }) => isNamed(title));
};

/** Readings of several scopes at once: the stored ones, and what Hacker News and Hyperliquid say now. */
export async function fetchSentimentReadings(
  context: FetchContext,
  scopes: readonly string[],
): Promise<readonly SentimentReadings[]> {
  const news = await readNews(context, HEADLINES_WINDOW_H);
  citeNews(context, news);
  const stories = scopes.map((scope) => readStories(context, scope));
  const stored = await Promise.all(
    scopes.map(async (scope) => ({
      scope,
      tone: isToneScope(scope) ? await readTone(context, scope) : null,
      positioning: await fetchPositioning(context, scope === "market" ? MARKET_COINS : [scope]),
    })),
  );
  const readings = stored.map(({ scope, tone, positioning }, index) => {
    if (tone) citeTone(context, tone);
    const { missing: missing_feeds, withheld } = news;
    return { scope, headlines: pickHeadlines(scope, news), missing_feeds, withheld, tone, positioning, index };
  });
  const outcomes = await Promise.all(stories);
  return readings.map(({ index, ...reading }) => ({
    ...reading,
    stories: outcomes[index] ?? { ok: false, error: new Error("not read") },
  }));
}
