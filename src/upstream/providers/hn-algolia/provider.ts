import { defineProvider } from "../../../catalog/provider.ts";

/** Search over Hacker News, run by Algolia. */
export const hnAlgolia = defineProvider({
  id: "hn_algolia",
  title: "Hacker News Search",
  docs_url: "https://hn.algolia.com/api",
  base_urls: ["https://hn.algolia.com/api/v1"],
  terms: {
    class: "unclear",
    note: "Open without a key; nothing on resale was found. Only titles, links and scores derived from them are shown.",
    attribution: { text: "Hacker News, searched by Algolia", url: "https://hn.algolia.com" },
  },
  limits: { rate_per_s: 2, burst: 6, timeout_ms: 4_000, attempts: 2, body_bytes_max: 1_000_000 },
});

/** Time of its first story, 9 October 2006; an earlier time is invalid. */
export const FIRST_STORY_S = 1_160_000_000;
