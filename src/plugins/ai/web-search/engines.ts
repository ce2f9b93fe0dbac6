import type { FetchContext, ProviderDefinition } from "intel-node";
import { fetchArticles } from "intel-node/providers/gdelt/articles";
import { gdelt } from "intel-node/providers/gdelt/provider";
import { hnAlgolia } from "intel-node/providers/hn-algolia/provider";
import { searchStories } from "intel-node/providers/hn-algolia/search-stories";
import { searchNews } from "../news/search-news.ts";
import { readNews } from "../news/stored-news.ts";
import { brave } from "../providers/brave/provider.ts";
import { searchBrave } from "../providers/brave/search.ts";
import { exa } from "../providers/exa/provider.ts";
import { searchExa } from "../providers/exa/search.ts";
import { feedFamily } from "../providers/feeds/provider.ts";
import { searxng } from "../providers/searxng/provider.ts";
import { searchSearxng } from "../providers/searxng/search.ts";
import { serper } from "../providers/serper/provider.ts";
import { searchSerper } from "../providers/serper/search.ts";
import { tavily } from "../providers/tavily/provider.ts";
import { searchTavily } from "../providers/tavily/search.ts";
import { wikipedia } from "../providers/wikipedia/provider.ts";
import { searchWikipedia } from "../providers/wikipedia/search.ts";
import { type Hit, toHits } from "../search/hit.ts";
import type { GeneralEngine } from "../settings.ts";

/** One way to search, and what its ranks weigh. */
export interface SearchEngine {
  readonly id: string;
  readonly provider: ProviderDefinition;
  readonly weight: number;
  readonly search: (context: FetchContext, q: string) => Promise<readonly Hit[]>;
}

export const GENERAL: Readonly<Record<GeneralEngine, SearchEngine>> = {
  searxng: { id: "searxng", provider: searxng, weight: 1, search: searchSearxng },
  brave: { id: "brave", provider: brave, weight: 1, search: searchBrave },
  exa: { id: "exa", provider: exa, weight: 1, search: searchExa },
  serper: { id: "serper", provider: serper, weight: 1, search: searchSerper },
  tavily: { id: "tavily", provider: tavily, weight: 1, search: searchTavily },
};
/** Engines that cost each call: the first of them that is configured is enough. */
const PAID: readonly GeneralEngine[] = ["exa", "serper", "tavily"];
const GENERAL_MAX = 3;

const timeOf = (at_ms: number): string => new Date(at_ms).toISOString();

async function searchHackerNews(context: FetchContext, q: string): Promise<readonly Hit[]> {
  const stories = await searchStories(context, q);
  return toHits(
    stories.map(({ title, url, at_ms }) => ({ title, url, date: timeOf(at_ms) })),
    context.now_ms,
  );
}

const NEWS_DAYS = 15;
/** This node's own store of headlines; no feed is asked. The feeds found are named as sources. */
async function searchStore(context: FetchContext, q: string): Promise<readonly Hit[]> {
  const { items, fresh } = await readNews(context, NEWS_DAYS);
  if (fresh.length === 0) throw new Error("no feed was read lately");
  const found = searchNews(items, q);
  for (const { feed, read_at_ms } of fresh) {
    if (!found.some((one) => one.feed.id === feed.id)) continue;
    const attribution = { text: `Headlines by ${feed.title}`, url: `https://${feed.host}` };
    const url = `https://${feed.host}${feed.path}`;
    context.cite({ provider: feedFamily.id, url, fetched_at: timeOf(read_at_ms), ok: true, attribution });
  }
  return toHits(
    found.map(({ title, url, at_ms }) => ({ title, url, date: timeOf(at_ms) })),
    context.now_ms,
  );
}

/** What needs no key: parts of the web. */
export const SPECIAL: readonly SearchEngine[] = [
  { id: "wikipedia", provider: wikipedia, weight: 0.8, search: searchWikipedia },
  { id: "hn_algolia", provider: hnAlgolia, weight: 0.6, search: searchHackerNews },
  { id: "news_store", provider: feedFamily, weight: 0.8, search: searchStore },
];

/** GDELT allows one call in half a minute, so it is asked only if no other engine found anything. */
export const LAST: SearchEngine = {
  id: "gdelt",
  provider: gdelt,
  weight: 0.8,
  search: async (context, q) => {
    const articles = await fetchArticles(context, q);
    return toHits(
      articles.map(({ title, url, seen_ms }) => ({ title, url, date: timeOf(seen_ms) })),
      context.now_ms,
    );
  },
};

/** The general engines to ask: by the operator's order, three at most, one of those that cost each call. */
export function chooseGeneral(
  order: readonly GeneralEngine[],
  isUsable: (provider: ProviderDefinition) => boolean,
): readonly SearchEngine[] {
  const usable = order.filter((id) => isUsable(GENERAL[id].provider));
  const paid = usable.find((id) => PAID.includes(id));
  return usable
    .filter((id) => !PAID.includes(id) || id === paid)
    .slice(0, GENERAL_MAX)
    .map((id) => GENERAL[id]);
}
