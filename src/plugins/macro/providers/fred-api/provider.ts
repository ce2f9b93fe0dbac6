import { defineProvider } from "intel-node";

/** Release dates as the Federal Reserve Bank of St. Louis keeps them of every statistical office; its key is free. */
export const fredApi = defineProvider({
  id: "fred_api",
  title: "FRED API, Federal Reserve Bank of St. Louis",
  docs_url: "https://fred.stlouisfed.org/docs/api/fred/release_dates.html",
  base_urls: ["https://api.stlouisfed.org"],
  key: { required: true, in: "query", name: "api_key" },
  terms: {
    class: "attribution",
    note: "fred.stlouisfed.org/docs/api/terms_of_use.html: only days of releases are read, no series.",
    attribution: {
      text:
        "This product uses the FRED® API but is not endorsed or certified by " +
        "the Federal Reserve Bank of St. Louis.",
      url: "https://fred.stlouisfed.org/docs/api/terms_of_use.html",
    },
  },
  limits: { rate_per_s: 1, burst: 8, timeout_ms: 8_000, attempts: 2, body_bytes_max: 1_000_000 },
});
