import { Type } from "@sinclair/typebox";
import {
  cleanTitles,
  compileSchema,
  type FetchContext,
  type ProviderDefinition,
  renderTime,
  type WritableHistory,
} from "intel-node";
import { NEWS_FEEDS, type NewsFeed } from "intel-node/providers/news-feeds";
import type { Headline } from "intel-node/providers/rss";

/** A headline with whose it is. */
export interface MarketNews extends Headline {
  readonly source: string;
}

const HOUR_MS = 3_600_000;
/** Publishers' conditions and sense: titles and links are kept for three days. */
const KEPT_MS = 72 * HOUR_MS;
const ITEMS_MAX = 1_000;
/** Feeds are read every ten minutes; of one that was not for this long, the newest headlines are missing. */
const AGE_MAX_MS = HOUR_MS;

const Pull = compileSchema(
  Type.Object({
    fetched_at_ms: Type.Integer(),
    items: Type.Array(Type.Tuple([Type.Integer(), Type.String(), Type.String()]), { maxItems: ITEMS_MAX }),
  }),
);

type Reads = Pick<FetchContext, "history" | "now_ms" | "usable">;

const seriesOf = (provider: ProviderDefinition): string => `crypto-market/news/${provider.id}`;

async function readPull({ history, now_ms }: Pick<FetchContext, "history" | "now_ms">, provider: ProviderDefinition) {
  const [newest] = await history.read(seriesOf(provider), { until_ms: now_ms, limit: 1 });
  if (!newest || !Pull.Check(newest.value)) return null;
  const { fetched_at_ms, items } = newest.value;
  return { fetched_at_ms, items: items.map(([at_ms, title, url]) => ({ at_ms, title, url })) };
}

/** Adds what a feed says now to what it said in the last 72 hours; a story that was renamed keeps its newest title. */
export async function writeNews(
  context: Pick<FetchContext, "now_ms"> & { readonly history: WritableHistory },
  { provider }: NewsFeed,
  headlines: readonly Headline[],
): Promise<void> {
  const { history, now_ms } = context;
  const by_url = new Map<string, Headline>();
  for (const one of [...headlines, ...((await readPull(context, provider))?.items ?? [])]) {
    if (now_ms - one.at_ms <= KEPT_MS && !by_url.has(one.url)) by_url.set(one.url, one);
  }
  const items = [...by_url.values()].sort((a, b) => b.at_ms - a.at_ms).slice(0, ITEMS_MAX);
  const rows = items.map(({ at_ms, title, url }) => [at_ms, title, url]);
  await history.write(seriesOf(provider), [{ at_ms: now_ms, value: { fetched_at_ms: now_ms, items: rows } }]);
  await history.prune(seriesOf(provider), now_ms);
}

export interface StoredMarketNews {
  /** Newest first. */
  readonly items: readonly MarketNews[];
  /** Headlines that are kept back: they look written to steer a machine. */
  readonly withheld: number;
  readonly feeds: readonly { readonly feed: NewsFeed; readonly fetched_at_ms: number }[];
  /** Feeds that were not read lately, or may no longer be used. */
  readonly missing: readonly string[];
}

/** The headlines of the last `window_h` hours of every feed that was read within the last hour. */
export async function readNews(context: Reads, window_h: number): Promise<StoredMarketNews> {
  const since_ms = context.now_ms - window_h * HOUR_MS;
  const usable = NEWS_FEEDS.filter(({ provider }) => context.usable(provider));
  const pulls = await Promise.all(usable.map(async (feed) => ({ feed, pull: await readPull(context, feed.provider) })));
  const read = pulls.flatMap(({ feed, pull }) =>
    pull && context.now_ms - pull.fetched_at_ms <= AGE_MAX_MS ? [{ feed, ...pull }] : [],
  );
  const items = read.flatMap(({ feed, items: some }) =>
    some
      .filter(({ at_ms }) => at_ms >= since_ms && at_ms <= context.now_ms)
      .map((item): MarketNews => ({ ...item, source: feed.provider.title })),
  );
  const { shown, withheld } = cleanTitles(items);
  return {
    items: shown.toSorted((a, b) => b.at_ms - a.at_ms),
    withheld,
    feeds: read.map(({ feed, fetched_at_ms }) => ({ feed, fetched_at_ms })),
    missing: NEWS_FEEDS.filter((feed) => !read.some((one) => one.feed === feed)).map(({ provider }) => provider.id),
  };
}

/** Names the feeds that stored headlines came from. */
export function citeNews(context: Pick<FetchContext, "cite">, { feeds }: StoredMarketNews): void {
  for (const { feed, fetched_at_ms } of feeds) {
    const { id, base_urls, terms } = feed.provider;
    const attribution = terms.attribution ? { attribution: { ...terms.attribution } } : {};
    const url = `${base_urls[0]}${feed.path}`;
    context.cite({ provider: id, url, fetched_at: renderTime(fetched_at_ms), ok: true, ...attribution });
  }
}
