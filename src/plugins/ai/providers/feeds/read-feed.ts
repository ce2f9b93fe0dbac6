import { Type } from "@sinclair/typebox";
import { compileSchema, type EachRow, type JobContext, Rows, type Unusable, unusable, Whole } from "intel-node";
import { CLOCK_SKEW_MAX_MS } from "intel-node/providers/clock-skew";
import { renderPlain } from "intel-node/providers/rss";
import type { Feed } from "./feeds.ts";
import { feedFamily } from "./provider.ts";
import { hostOf } from "./robots.ts";

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
/** An element with attributes, or one without. */
const Words = Type.Union([Text, Type.Object({ "#text": Text })]);
const Rss = compileSchema(
  Type.Object({
    title: Words,
    link: Text,
    pubDate: Type.Optional(Text),
    "dc:date": Type.Optional(Text),
  }),
);
const Link = Type.Object({ "@_href": Text, "@_rel": Type.Optional(Type.String()) });
const Atom = compileSchema(
  Type.Object({
    title: Words,
    link: Type.Union([Link, Whole("parts", Link, { minItems: 1 })]),
    published: Type.Optional(Text),
    updated: Type.Optional(Text),
  }),
);
const Items = Rows(Type.Unknown(), { minItems: 1 });
const Document = compileSchema(
  Type.Union([
    Type.Object({ rss: Type.Object({ channel: Type.Object({ item: Items }) }) }),
    Type.Object({ "rdf:RDF": Type.Object({ item: Items }) }),
    Type.Object({ feed: Type.Object({ entry: Items }) }),
  ]),
);

const wordsOf = (words: string | { readonly "#text": string }): string =>
  typeof words === "string" ? words : words["#text"];

function readItem(item: unknown): FeedItem | Unusable {
  if (Rss.Check(item)) return toItem(wordsOf(item.title), item.link, item.pubDate ?? item["dc:date"]);
  if (!Atom.Check(item)) return unusable("no title, address or date");
  const { title, link, published, updated } = item;
  const links = Array.isArray(link) ? link : [link];
  const page = links.find(({ "@_rel": rel }) => rel === undefined || rel === "alternate") ?? links[0];
  return toItem(wordsOf(title), page?.["@_href"] ?? "", published ?? updated);
}

function toItem(html: string, link: string, date: string | undefined): FeedItem | Unusable {
  const title = renderPlain(html).slice(0, TITLE_CHARS_MAX);
  const url = link.trim();
  const at_ms = Date.parse(date ?? "");
  const is_usable =
    title !== "" && url.length <= URL_CHARS_MAX && /^https?:\/\/[^\s<>"]+$/.test(url) && URL.canParse(url);
  return is_usable && !Number.isNaN(at_ms) ? { title, url, at_ms } : unusable("its title, address or date is unusable");
}

export type ReadFeed = (xml: string, now_ms: number, eachRow: EachRow) => FeedItem[] | Unusable;

/** Each item is a separate news item, and feeds mix in others, such as an advertisement without a date. */
const ITEMS_FLOOR = 0;

/**
 * A reader of RSS and Atom: the items that have a title, a web address and a date, newest first, or why there is no
 * item. A document that defines its own entities is refused. Its parser is loaded with the first feed.
 */
export async function createFeedReader(): Promise<ReadFeed> {
  const { XMLParser, XMLValidator } = await import("fast-xml-parser");
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    // XML's own five; what a title holds as HTML is read after. Documents that define others were refused.
    processEntities: true,
    isArray: (name) => name === "item" || name === "entry",
  });
  return (xml, now_ms, eachRow) => {
    if (/<!(doctype|entity)/i.test(xml)) return unusable("it is a web page, or defines its own entities");
    if (XMLValidator.validate(xml) !== true) return unusable("it is cut off, or no XML");
    const parsed: unknown = parser.parse(xml);
    if (!Document.Check(parsed)) return unusable("it is not a feed with items");
    const listed =
      "rss" in parsed ? parsed.rss.channel.item : "feed" in parsed ? parsed.feed.entry : parsed["rdf:RDF"].item;
    const items = eachRow(listed.slice(0, ITEMS_MAX), readItem, { floor: ITEMS_FLOOR });
    const told = items.filter(({ at_ms }) => at_ms <= now_ms + CLOCK_SKEW_MAX_MS);
    if (told.length === 0) return unusable("no item has a title, an address and a date");
    return told.sort((a, b) => b.at_ms - a.at_ms);
  };
}

const Xml = Type.String({ minLength: 1 });

/**
 * Reads one feed; one that has not changed costs its publisher next to nothing.
 * @throws UpstreamError
 */
export async function fetchFeed(context: Pick<JobContext, "get" | "now_ms">, feed: Feed): Promise<readonly FeedItem[]> {
  const readFeed = await createFeedReader();
  return context.get(feedFamily, {
    path: feed.path,
    ...hostOf(feed),
    format: "text",
    schema: Xml,
    headers: { accept: "application/rss+xml, application/atom+xml, application/xml;q=0.9, */*;q=0.5" },
    attribution: { text: `Headlines by ${feed.title}`, url: `https://${feed.host}` },
    ttl_ms: 0,
    revalidate: true,
    read: (xml, _, eachRow) => readFeed(xml, context.now_ms, eachRow),
  });
}
