import { rssCoinDesk } from "./rss-coindesk/provider.ts";
import { rssCointelegraph } from "./rss-cointelegraph/provider.ts";
import { rssDecrypt } from "./rss-decrypt/provider.ts";

/** The publishers whose headlines are read, and where their feeds are. */
export const NEWS_FEEDS = [
  { provider: rssCoinDesk, path: "/arc/outboundfeeds/rss/" },
  { provider: rssCointelegraph, path: "/rss" },
  { provider: rssDecrypt, path: "/feed" },
] as const;

export type NewsFeed = (typeof NEWS_FEEDS)[number];
