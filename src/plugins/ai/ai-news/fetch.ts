import { cleanTitles, type FetchContext, NodeError, outcomeOf, toNodeError } from "intel-node";
import { hnAlgolia } from "intel-node/providers/hn-algolia/provider";
import { fetchStories, type Story } from "intel-node/providers/hn-algolia/stories";
import { readNews, type StoredFeedNews } from "../news/stored-news.ts";
import type { FeedTopic } from "../providers/feeds/feeds.ts";
import { feedFamily } from "../providers/feeds/provider.ts";

export interface AINewsInputs {
  readonly topic: FeedTopic;
  readonly news: StoredFeedNews;
  /** Null when Hacker News was not heard, or not asked: it is for the topic ai. */
  readonly stories: readonly Story[] | null;
  /** Titles that are kept back. */
  readonly withheld: number;
  readonly read_at_ms: number;
}

/** 14 days before the last one, for what is usual. */
const DAYS = 15;
/** Fewer feeds than these say nothing of a topic. */
const FEEDS_MIN: Readonly<Record<FeedTopic, number>> = { ai: 5, crypto: 3, macro: 4, geo: 2, brazil: 1 };
const WINDOW_H = 48;
/** Older items are not news. */
export const NEWS_MS = WINDOW_H * 3_600_000;

/**
 * Stored headlines and the stories of Hacker News.
 * @throws NodeError when too few feeds were read lately and Hacker News does not answer either, or when no source
 * had an item in two days.
 */
export async function fetchAINews(context: FetchContext, topic: FeedTopic): Promise<AINewsInputs> {
  const [told, heard] = await Promise.all([
    readNews(context, DAYS, topic),
    topic === "ai" && context.usable(hnAlgolia)
      ? outcomeOf(fetchStories(context, { words: "AI", window_h: WINDOW_H }))
      : null,
  ]);
  const { shown: items, withheld: of_feeds } = cleanTitles(told.items);
  const news = { ...told, items };
  const posted = heard?.ok ? cleanTitles(heard.value) : null;
  const stories = posted?.shown ?? null;
  if (news.fresh.length < FEEDS_MIN[topic] && stories === null) {
    throw toNodeError(heard && !heard.ok ? [heard.error] : [], "news: too few feeds were read lately");
  }
  // Two days without an item mean that the feeds are stuck.
  const is_new = ({ at_ms }: { readonly at_ms: number }): boolean => context.now_ms - at_ms <= NEWS_MS;
  if (!news.items.some(is_new) && !stories?.some(is_new)) {
    throw new NodeError("upstream_unavailable", "No source published in the last 48 hours. Nothing was charged.");
  }
  for (const { feed, read_at_ms } of news.fresh) {
    context.cite({
      provider: feedFamily.id,
      url: `https://${feed.host}${feed.path}`,
      fetched_at: new Date(read_at_ms).toISOString(),
      ok: true,
      attribution: { text: `Headlines by ${feed.title}`, url: `https://${feed.host}` },
    });
  }
  const withheld = of_feeds + (posted?.withheld ?? 0);
  return { topic, news, stories, withheld, read_at_ms: context.now_ms };
}
