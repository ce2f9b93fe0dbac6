import type { FetchContext, JobContext } from "intel-node";
import { AI_FEEDS, type AIFeed } from "../../providers/ai-feeds/feeds.ts";
import { aiFeeds } from "../../providers/ai-feeds/provider.ts";
import type { FeedItem } from "../../providers/ai-feeds/read-feed.ts";
import { table as feedReads } from "../../tables/feed-reads.ts";
import { table as newsTable } from "../../tables/news.ts";
import { settings } from "../settings.ts";
import { canonicalURL } from "../text/canonical-url.ts";

/** A headline with whose it is. */
export interface News {
  readonly canonical: string;
  readonly url: string;
  readonly title: string;
  readonly feed: AIFeed;
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

/** The feeds this node reads: those the operator did not switch off. */
export function listFeeds(context: Pick<FetchContext, "config">): readonly AIFeed[] {
  const off = new Set(context.config(settings).feeds_off);
  return AI_FEEDS.filter(({ id }) => !off.has(id));
}

/** Adds what a feed says now; what is known already keeps the time it was first seen. */
export async function writeFeed(context: JobContext, feed: AIFeed, items: readonly FeedItem[]): Promise<void> {
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
  await noteRead(context, feed, true);
}

/** Notes that a feed was read, or could not be. */
export async function noteRead(context: JobContext, feed: AIFeed, ok: boolean): Promise<void> {
  const reads = context.table(feedReads);
  const last = await reads.first({ where: { feed: feed.id } });
  const read_at_ms = ok ? context.now_ms : (last?.read_at_ms ?? null);
  const failed_at_ms = ok ? (last?.failed_at_ms ?? null) : context.now_ms;
  await reads.put([{ feed: feed.id, read_at_ms, failed_at_ms }]);
}

export interface StoredNews {
  /** Of the last `days`, newest first. */
  readonly items: readonly News[];
  readonly fresh: readonly { readonly feed: AIFeed; readonly read_at_ms: number }[];
  /** Not read within six hours. */
  readonly failed: readonly AIFeed[];
}

/** What the feeds said in the last days, and which of them were read lately. */
export async function readNews(context: FetchContext, days: number): Promise<StoredNews> {
  const { now_ms } = context;
  if (!context.usable(aiFeeds)) return { items: [], fresh: [], failed: [] };
  const feeds = listFeeds(context);
  const [rows, reads] = await Promise.all([
    context.table(newsTable).find({
      where: { published_at_ms: { from: now_ms - days * 24 * HOUR_MS, to: now_ms } },
      order: ["-published_at_ms", "canonical"],
      limit: ROWS_MAX,
    }),
    context.table(feedReads).find(),
  ]);
  const by_id = new Map(feeds.map((feed) => [feed.id, feed]));
  const read_at = new Map(reads.map(({ feed, read_at_ms }) => [feed, read_at_ms]));
  const fresh = feeds.flatMap((feed) => {
    const read_at_ms = read_at.get(feed.id) ?? null;
    return read_at_ms !== null && now_ms - read_at_ms <= FEED_FRESH_MS ? [{ feed, read_at_ms }] : [];
  });
  const items = rows.flatMap(({ feed, published_at_ms: at_ms, ...row }) => {
    const from = by_id.get(feed);
    return from ? [{ ...row, at_ms, feed: from }] : [];
  });
  return { items, fresh, failed: feeds.filter((feed) => !fresh.some((one) => one.feed === feed)) };
}
