import { defineProvider } from "intel-node";
import { FEEDS } from "./feeds.ts";

const [first, ...others] = FEEDS;

/** The feeds as one family: one pace for all, a breaker for each. */
export const feedFamily = defineProvider({
  id: "feeds",
  title: "News feeds",
  docs_url: "https://www.rssboard.org/rss-specification",
  base_urls: [`https://${first?.host}`],
  hosts: Object.fromEntries(others.map(({ id, host }) => [id, `https://${host}`])),
  terms: {
    class: "unclear",
    note: "Public feeds, conditions not all read. Only titles, links, dates and own scores are shown.",
  },
  redirects: [...new Set(FEEDS.map(({ host }) => host))],
  limits: { rate_per_s: 6, burst: 6, timeout_ms: 15_000, attempts: 2, body_bytes_max: 1_000_000 },
});
