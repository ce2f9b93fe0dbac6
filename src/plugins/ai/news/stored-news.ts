import type { FetchContext, JobContext } from "intel-node";
import { canonicalURL } from "../links/canonical-url.ts";
import { FEEDS, type Feed, type FeedTopic } from "../providers/feeds/feeds.ts";
import { feedFamily } from "../providers/feeds/provider.ts";
import type { FeedItem } from "../providers/feeds/read-feed.ts";
import { settings } from "../settings.ts";
import { table as feedReads } from "../tables/feed-reads.ts";
import { table as newsTable } from "../tables/news.ts";

/** A headline with whose it is. */
export interface FeedNews {
  readonly canonical: string;
  readonly url: string;
  readonly title: string;
  readonly feed: Feed;
  readonly at_ms: number;
  readonly first_seen_ms: number;
}

const HOUR_MS = 3_600_000;
/** Items older than this when they are first seen are an archive, not news. */
const AGE_MAX_MS = 96 * HOUR_MS;
const ITEMS_PER_READ = 30;
const ROWS_MAX = 10_000;
const KNOWN_MAX = 500;
/** A feed not read for so long says nothing about now. */
const FEED_FRESH_MS = 6 * HOUR_MS;
const FEED_DEAD_MS = 24 * HOUR_MS;

/** The feeds this node reads: those the operator did not switch off. */
export function listFeeds(context: Pick<FetchContext, "config">): readonly Feed[] {
  const off = new Set(context.config(settings).feeds_off);
  return FEEDS.filter(({ id }) => !off.has(id));
}

/** Adds what a feed says now; what is known already keeps the time it was first seen. */
export async function writeFeed(context: JobContext, feed: Feed, items: readonly FeedItem[]): Promise<void> {
  const { now_ms } = context;
  const fresh = new Map(
    items
      .filter(({ at_ms }) => now_ms - at_ms <= AGE_MAX_MS)
      .slice(0, ITEMS_PER_READ)
      .flatMap(({ title, url, at_ms }) => {
        const canonical = canonicalURL(url);
        return canonical === null ? [] : [[canonical, { canonical, url, title, at_ms }] as const];
      }),
  );
  const news = context.table(newsTable);
  const known = await news.find({ where: { canonical: { in: [...fresh.keys()].slice(0, KNOWN_MAX) } } });
  for (const { canonical } of known) fresh.delete(canonical);
  await news.insert(
    [...fresh.values()].map(({ at_ms, ...item }) => ({
      ...item,
      feed: feed.id,
      published_at_ms: at_ms,
      first_seen_ms: now_ms,
    })),
  );
  await noteRead(context, feed, "read");
}

/** Notes that a feed was read, could not be, or asks not to be. */
export async function noteRead(context: JobContext, feed: Feed, how: "read" | "failed" | "barred"): Promise<void> {
  const reads = context.table(feedReads);
  const last = await reads.first({ where: { feed: feed.id } });
  const { now_ms } = context;
  const is_failure = how === "failed";
  await reads.put([
    {
      feed: feed.id,
      read_at_ms: how === "read" ? now_ms : (last?.read_at_ms ?? null),
      failed_at_ms: is_failure ? now_ms : (last?.failed_at_ms ?? null),
      failing_since_ms: is_failure ? (last?.failing_since_ms ?? now_ms) : null,
      barred: how === "barred",
    },
  ]);
}

export interface StoredFeedNews {
  /** Of the last `days`, newest first. */
  readonly items: readonly FeedNews[];
  readonly fresh: readonly { readonly feed: Feed; readonly read_at_ms: number }[];
  /** Not read within six hours. */
  readonly failed: readonly Feed[];
  /** Those of them that have failed for 24 hours. */
  readonly dead: readonly Feed[];
  /** Those of them whose robots.txt asks not to read them. */
  readonly barred: readonly Feed[];
}

const NOTHING: StoredFeedNews = { items: [], fresh: [], failed: [], dead: [], barred: [] };

/** What the feeds of a topic, or all, said in the last days, and which of them were read lately. */
export async function readNews(context: FetchContext, days: number, topic?: FeedTopic): Promise<StoredFeedNews> {
  const { now_ms } = context;
  if (!context.usable(feedFamily)) return NOTHING;
  const feeds = listFeeds(context).filter((feed) => topic === undefined || feed.topic === topic);
  const [rows, reads] = await Promise.all([
    context.table(newsTable).find({
      where: {
        feed: { in: feeds.map(({ id }) => id) },
        published_at_ms: { from: now_ms - days * 24 * HOUR_MS, to: now_ms },
      },
      order: ["-published_at_ms", "canonical"],
      limit: ROWS_MAX,
    }),
    context.table(feedReads).find(),
  ]);
  const by_id = new Map(feeds.map((feed) => [feed.id, feed]));
  const read_of = new Map(reads.map((read) => [read.feed, read]));
  const fresh = feeds.flatMap((feed) => {
    const read_at_ms = read_of.get(feed.id)?.read_at_ms ?? null;
    return read_at_ms !== null && now_ms - read_at_ms <= FEED_FRESH_MS ? [{ feed, read_at_ms }] : [];
  });
  const items = rows.flatMap(({ feed, published_at_ms: at_ms, ...row }) => {
    const from = by_id.get(feed);
    return from ? [{ ...row, at_ms, feed: from }] : [];
  });
  const failed = feeds.filter((feed) => !fresh.some((one) => one.feed === feed));
  const isDead = ({ id }: Feed): boolean => {
    const since_ms = read_of.get(id)?.failing_since_ms ?? null;
    return since_ms !== null && now_ms - since_ms >= FEED_DEAD_MS;
  };
  const barred = failed.filter(({ id }) => read_of.get(id)?.barred === true);
  return { items, fresh, failed, dead: failed.filter(isDead), barred };
}
