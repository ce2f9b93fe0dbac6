import { defineProvider } from "../../../catalog/provider.ts";

/** Indicative dealer quotes of currencies and metals. */
export const swissquote = defineProvider({
  id: "swissquote",
  title: "Swissquote public quotes",
  docs_url: "https://forex-data-feed.swissquote.com/public-quotes/bboquotes/instrument/EUR/USD",
  base_urls: ["https://forex-data-feed.swissquote.com"],
  terms: {
    class: "unclear",
    note: "A public, keyless feed of indicative quotes; no terms of reuse were found for it.",
  },
  limits: { rate_per_s: 0.5, burst: 12, timeout_ms: 5_000, attempts: 2, body_bytes_max: 100_000 },
});
