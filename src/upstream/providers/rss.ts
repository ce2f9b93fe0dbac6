import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../catalog/context.ts";
import { type EachRow, Rows } from "../../catalog/rows.ts";
import { type Unusable, unusable } from "../../catalog/unusable.ts";
import { compileSchema } from "../../core/compile-schema.ts";
import { getOwn } from "../../core/own.ts";
import { CLOCK_SKEW_MAX_MS } from "./clock-skew.ts";
import type { NewsFeed } from "./news-feeds.ts";

/** One item of a feed; never its body. */
export interface Headline {
  readonly title: string;
  readonly url: string;
  readonly at_ms: number;
}

const HOUR_MS = 3_600_000;
/** These publishers write every day; a feed this old has stopped. */
const AGE_MAX_MS = 48 * HOUR_MS;
const ITEMS_MAX = 500;
const TITLE_CHARS_MAX = 500;
const URL_CHARS_MAX = 1_000;

/** An item without one of these is left out. */
const Item = compileSchema(
  Type.Object({
    title: Type.String({ minLength: 1 }),
    link: Type.String({ minLength: 1, maxLength: URL_CHARS_MAX }),
    pubDate: Type.String({ minLength: 1, maxLength: 100 }),
  }),
);
const Feed = compileSchema(
  Type.Object({
    rss: Type.Object({ channel: Type.Object({ item: Rows(Type.Unknown(), { minItems: 1 }) }) }),
  }),
);

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const CODE_MAX = 0x10ffff;

function decodeEntity(whole: string, name: string): string {
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  if (!name.startsWith("#")) return getOwn(ENTITIES, name.toLowerCase()) ?? whole;
  return Number.isInteger(code) && code >= 32 && code <= CODE_MAX ? String.fromCodePoint(code) : " ";
}

/** Titles hold HTML, inside CDATA as well as escaped: plain words remain. */
export function renderPlain(html: string): string {
  const decoded = html.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, decodeEntity);
  return decoded
    .replace(/<\/?(?:a|b|em|i|span|strong)(?:\s[^<>]*)?>/gi, "")
    .replace(/<\/?[a-z!][^<>]*>/gi, " ")
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, TITLE_CHARS_MAX);
}

function readHeadline(item: unknown): Headline | Unusable {
  if (!Item.Check(item)) return unusable("no title, address or date");
  const title = renderPlain(item.title);
  const url = item.link.trim();
  const at_ms = Date.parse(item.pubDate);
  const is_usable = title !== "" && /^https?:\/\/[^\s<>"]+$/.test(url) && URL.canParse(url) && !Number.isNaN(at_ms);
  return is_usable ? { title, url, at_ms } : unusable("its title, address or date is none");
}

export type ParsedFeed = (xml: string, now_ms: number, eachRow: EachRow) => Headline[] | Unusable;

/** Each item is news by itself, and feeds mix in others, such as an advertisement without a date. */
const ITEMS_FLOOR = 0;

/**
 * A reader of RSS 2.0: the items that have a title, a web address and a date, newest first, or the reason to refuse the
 * feed. Its parser is loaded on the first use.
 */
export async function createFeedReader(): Promise<ParsedFeed> {
  const { XMLParser, XMLValidator } = await import("fast-xml-parser");
  const isItem = (name: string) => name === "item";
  // Numbers stay texts; entities are ours to read, so that no document can define its own.
  const options = { ignoreAttributes: true, parseTagValue: false, processEntities: false, isArray: isItem };
  return (xml, now_ms, eachRow) => {
    if (/<!(doctype|entity)/i.test(xml)) return unusable("it is a web page, or defines entities of its own");
    if (XMLValidator.validate(xml) !== true) return unusable("it is no well-formed XML");
    const parsed: unknown = new XMLParser(options).parse(xml);
    if (!Feed.Check(parsed)) return unusable("it is no RSS feed with items");
    const headlines = eachRow(parsed.rss.channel.item.slice(0, ITEMS_MAX), readHeadline, { floor: ITEMS_FLOOR });
    const told = headlines.filter(({ at_ms }) => at_ms <= now_ms + CLOCK_SKEW_MAX_MS);
    const [newest] = told.sort((a, b) => b.at_ms - a.at_ms);
    if (!newest) return unusable("no item has a title, an address and a date");
    return now_ms - newest.at_ms > AGE_MAX_MS ? unusable("its newest item is older than 48 h") : told;
  };
}

/**
 * The headlines of a publisher's feed, newest first.
 * @throws UpstreamError
 */
export async function fetchHeadlines(
  context: Pick<FetchContext, "get" | "now_ms">,
  { provider, path }: NewsFeed,
): Promise<readonly Headline[]> {
  const readFeed = await createFeedReader();
  return context.get(provider, {
    path,
    format: "text",
    schema: Type.String(),
    ttl_ms: 0,
    read: (xml, _, eachRow) => readFeed(xml, context.now_ms, eachRow),
  });
}
