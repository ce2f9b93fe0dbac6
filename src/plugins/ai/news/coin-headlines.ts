import { cleanUntrusted, type FetchContext, getOwn, isSuspicious, renderTime, type SourceText } from "intel-node";
import { COIN_NAMES } from "../written/published-facts.ts";
import { readNews } from "./stored-news.ts";

const HEADLINES = 8;
const NEWS_DAYS = 2;

/** Headlines of the last days that name a coin, newest first; each is a stranger's text and stays one. */
export async function readCoinHeadlines(context: FetchContext, symbol: string): Promise<readonly SourceText[]> {
  const names = [symbol, ...(getOwn(COIN_NAMES, symbol) ?? [])].map((name) => new RegExp(`\\b${name}\\b`, "i"));
  const { items } = await readNews(context, NEWS_DAYS, "crypto");
  return items
    .filter(({ title }) => names.some((name) => name.test(title)))
    .slice(0, HEADLINES)
    .map(({ title, url, at_ms }, index) => ({
      id: `N${index + 1}`,
      title: cleanUntrusted(title, { chars_max: 200 }),
      url,
      domain: new URL(url).hostname,
      published_at: renderTime(at_ms),
      excerpt: null,
      suspicious: isSuspicious(title),
    }));
}
