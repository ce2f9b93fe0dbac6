import { defineProvider } from "intel-node";

/** Search over the English Wikipedia. Its API asks whom to write to. */
export const wikipedia = defineProvider({
  id: "wikipedia",
  title: "Wikipedia",
  docs_url: "https://www.mediawiki.org/wiki/API:Search",
  base_urls: ["https://en.wikipedia.org"],
  contact: true,
  terms: {
    class: "attribution",
    note: "Texts are CC BY-SA 4.0: named, linked, and short excerpts only.",
    attribution: {
      text: "Wikipedia contributors, CC BY-SA 4.0",
      url: "https://en.wikipedia.org/wiki/Wikipedia:Copyrights",
    },
  },
  limits: { rate_per_s: 2, burst: 5, timeout_ms: 4_000, attempts: 1, body_bytes_max: 1_000_000 },
});
