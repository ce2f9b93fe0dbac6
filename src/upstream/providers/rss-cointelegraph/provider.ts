import { defineProvider } from "../../../catalog/provider.ts";

/** News feed of a publisher. */
export const rssCointelegraph = defineProvider({
  id: "rss_cointelegraph",
  title: "Cointelegraph",
  docs_url: "https://cointelegraph.com/rss",
  base_urls: ["https://cointelegraph.com"],
  terms: {
    class: "unclear",
    note: "A public feed; its conditions were not read. Only titles, links and scores derived from them are shown.",
    attribution: { text: "Headlines by Cointelegraph", url: "https://cointelegraph.com" },
  },
  limits: { rate_per_s: 0.01, burst: 2, timeout_ms: 10_000, attempts: 2, body_bytes_max: 4_000_000 },
});
