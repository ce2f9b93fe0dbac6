import { defineProvider } from "intel-node";

/** Members and levels of B3's indexes, as its own pages read them. */
export const b3Index = defineProvider({
  id: "b3_index",
  title: "B3 index pages",
  docs_url: "https://www.b3.com.br/en_us/market-data-and-indices/indices/broad-indices/ibovespa.htm",
  base_urls: ["https://sistemaswebb3-listados.b3.com.br"],
  terms: {
    class: "unclear",
    note: "What the exchange's public pages of the index show; no terms of reuse were found for it.",
    attribution: { text: "Ibovespa is an index of B3 S.A.", url: "https://www.b3.com.br" },
  },
  limits: { rate_per_s: 0.5, burst: 3, timeout_ms: 15_000, attempts: 2, body_bytes_max: 2_000_000 },
});
