import { Type } from "@sinclair/typebox";
import { compileSchema, type JobContext } from "intel-node";
import { CLOCK_SKEW_MAX_MS } from "intel-node/providers/clock-skew";
import { renderPlain } from "intel-node/providers/rss";
import { AI_FEEDS, type AIFeed } from "./feeds.ts";
import { aiFeeds } from "./provider.ts";

/** One item of a feed; never its body. */
export interface FeedItem {
  readonly title: string;
  /** As the publisher wrote it. */
  readonly url: string;
  readonly at_ms: number;
}

const ITEMS_MAX = 100;
const TITLE_CHARS_MAX = 200;
const URL_CHARS_MAX = 1_000;

const Text = Type.String({ minLength: 1, maxLength: 5_000 });
const Rss = compileSchema(
  Type.Object({
    title: Text,
    link: Text,
    pubDate: Type.Optional(Text),
    dc: Type.Optional(Type.Object({ date: Text })),
  }),
);
const Atom = compileSchema(
  Type.Object({
    title: Type.Union([Text, Type.Object({ value: Text })]),
    links: Type.Array(Type.Object({ href: Text, rel: Type.Optional(Type.String()) }), { minItems: 1 }),
    published: Type.Optional(Text),
    updated: Type.Optional(Text),
  }),
);

function readItem(item: unknown): FeedItem | null {
  if (Rss.Check(item)) return toItem(item.title, item.link, item.pubDate ?? item.dc?.date);
  if (!Atom.Check(item)) return null;
  const { title, links, published, updated } = item;
  const link = links.find(({ rel }) => rel === undefined || rel === "alternate") ?? links[0];
  return toItem(typeof title === "string" ? title : title.value, link?.href ?? "", published ?? updated);
}

function toItem(html: string, link: string, date: string | undefined): FeedItem | null {
  const title = renderPlain(html).slice(0, TITLE_CHARS_MAX);
  const url = link.trim();
  const at_ms = Date.parse(date ?? "");
  const is_usable =
    title !== "" && url.length <= URL_CHARS_MAX && /^https?:\/\/[^\s<>"]+$/.test(url) && URL.canParse(url);
  return is_usable && !Number.isNaN(at_ms) ? { title, url, at_ms } : null;
}

export type ReadFeed = (xml: string, now_ms: number) => FeedItem[] | string;

/**
 * A reader of RSS and Atom: the items that have a title, a web address and a date, newest first, or why there are none.
 * A document that defines entities of its own is refused. Its parser is loaded with the first feed.
 */
export async function createFeedReader(): Promise<ReadFeed> {
  const { parseFeed } = await import("feedsmith");
  return (xml, now_ms) => {
    if (/<!(doctype|entity)/i.test(xml)) return "it is a web page, or defines entities of its own";
    if (!/<\/(?:rss|feed|rdf:rdf)\s*>\s*$/i.test(xml)) return "it is cut off, or no feed";
    let parsed: { readonly feed?: { readonly items?: unknown; readonly entries?: unknown } };
    try {
      parsed = parseFeed(xml) as typeof parsed;
    } catch {
      return "it is no feed";
    }
    const listed = parsed.feed?.items ?? parsed.feed?.entries;
    if (!Array.isArray(listed) || listed.length === 0) return "it has no items";
    const items = listed.slice(0, ITEMS_MAX).flatMap((item) => readItem(item) ?? []);
    const told = items.filter(({ at_ms }) => at_ms <= now_ms + CLOCK_SKEW_MAX_MS);
    if (told.length === 0) return "no item has a title, an address and a date";
    return told.sort((a, b) => b.at_ms - a.at_ms);
  };
}

/**
 * Reads one feed; one that has not changed costs its publisher next to nothing.
 * @throws UpstreamError
 */
export async function fetchFeed(
  context: Pick<JobContext, "get" | "now_ms">,
  feed: AIFeed,
): Promise<readonly FeedItem[]> {
  const readFeed = await createFeedReader();
  return context.get(aiFeeds, {
    path: feed.path,
    ...(feed.id === AI_FEEDS[0]?.id ? {} : { host: feed.id }),
    format: "text",
    schema: Type.String({ minLength: 1 }),
    headers: { accept: "application/rss+xml, application/atom+xml, application/xml;q=0.9, */*;q=0.5" },
    attribution: { text: `Headlines by ${feed.title}`, url: `https://${feed.host}` },
    ttl_ms: 0,
    revalidate: true,
    read: (xml) => readFeed(xml, context.now_ms),
  });
}
