import { defineProvider } from "../../../catalog/provider.ts";

/** The European Central Bank's data portal: euro reference rates. */
export const ecb = defineProvider({
  id: "ecb",
  title: "European Central Bank",
  docs_url: "https://data.ecb.europa.eu/help/api/data",
  base_urls: ["https://data-api.ecb.europa.eu/service/data"],
  hosts: { www: "https://www.ecb.europa.eu" },
  terms: {
    class: "attribution",
    note: "Free reuse with the source named; reference rates are for information only (ecb.europa.eu, copyright).",
    attribution: {
      text: "Source: ECB statistics. Euro reference rates are published for information only.",
      url: "https://www.ecb.europa.eu/services/using-our-site/disclaimer/html/index.en.html",
    },
  },
  limits: { rate_per_s: 4, burst: 12, timeout_ms: 8_000, attempts: 2, body_bytes_max: 6_000_000 },
});
