import { defineProvider } from "../../../catalog/provider.ts";

/** News feed of a publisher. */
export const rssCoinDesk = defineProvider({
  id: "rss_coindesk",
  title: "CoinDesk",
  docs_url: "https://www.coindesk.com/arc/outboundfeeds/rss/",
  base_urls: ["https://www.coindesk.com"],
  terms: {
    class: "unclear",
    note: "A public feed; its conditions were not read. Only titles, links and scores derived from them are shown.",
    attribution: { text: "Headlines by CoinDesk", url: "https://www.coindesk.com" },
  },
  limits: { rate_per_s: 0.01, burst: 2, timeout_ms: 10_000, attempts: 2, body_bytes_max: 4_000_000 },
});
