import { defineProvider } from "intel-node";

/** Eurostat's dissemination interface: when its data sets are published next. */
export const eurostat = defineProvider({
  id: "eurostat",
  title: "Eurostat",
  docs_url: "https://ec.europa.eu/eurostat/web/user-guides/data-browser/api-data-access",
  base_urls: ["https://ec.europa.eu/eurostat/api/dissemination"],
  terms: {
    class: "attribution",
    note: "Reuse is allowed with the source named (Commission Decision 2011/833/EU).",
    attribution: { text: "Source: Eurostat", url: "https://ec.europa.eu/eurostat/help/copyright-notice" },
  },
  limits: { rate_per_s: 2, burst: 4, timeout_ms: 8_000, attempts: 2, body_bytes_max: 2_000_000 },
});
