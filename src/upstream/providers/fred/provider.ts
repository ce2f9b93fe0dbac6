import { defineProvider } from "../../../catalog/provider.ts";

/** Series of the Federal Reserve Bank of St. Louis, as files without a key. Which of them may be sold: `series.ts`. */
export const fred = defineProvider({
  id: "fred",
  title: "FRED, Federal Reserve Bank of St. Louis",
  docs_url: "https://fred.stlouisfed.org/legal/",
  base_urls: ["https://fred.stlouisfed.org"],
  terms: {
    class: "attribution",
    note: "Each series has its source's licence: only those in the public domain or free with a citation are read.",
    attribution: {
      text:
        "Source: FRED, Federal Reserve Bank of St. Louis. This product uses FRED data but is not endorsed or " +
        "certified by the Federal Reserve Bank of St. Louis.",
      url: "https://fred.stlouisfed.org/legal/",
    },
  },
  limits: { rate_per_s: 1, burst: 8, timeout_ms: 8_000, attempts: 2, body_bytes_max: 4_000_000 },
});
