import { defineProvider } from "intel-node";

/** Reports of B3's trading sessions: settlements of all futures as XML. */
export const b3Reports = defineProvider({
  id: "b3_reports",
  title: "B3 session reports",
  docs_url: "https://www.b3.com.br/en_us/market-data-and-indices/data-services/market-data/historical-data/",
  base_urls: ["https://www.b3.com.br"],
  terms: {
    class: "unclear",
    note: "Public reports of the exchange, with the same reservation for indexes and benchmarks as its daily files.",
    attribution: { text: "Source: B3 S.A. public files; figures computed by this node", url: "https://www.b3.com.br" },
  },
  limits: { rate_per_s: 0.1, burst: 2, timeout_ms: 60_000, attempts: 2, body_bytes_max: 20_000_000 },
});
