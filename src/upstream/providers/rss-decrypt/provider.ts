import { defineProvider } from "../../../catalog/provider.ts";

/** News feed of a publisher. */
export const rssDecrypt = defineProvider({
  id: "rss_decrypt",
  title: "Decrypt",
  docs_url: "https://decrypt.co/feed",
  base_urls: ["https://decrypt.co"],
  terms: {
    class: "unclear",
    note: "A public feed; its conditions were not read. Only titles, links and scores derived from them are shown.",
    attribution: { text: "Headlines by Decrypt", url: "https://decrypt.co" },
  },
  limits: { rate_per_s: 0.01, burst: 2, timeout_ms: 10_000, attempts: 2, body_bytes_max: 4_000_000 },
});
