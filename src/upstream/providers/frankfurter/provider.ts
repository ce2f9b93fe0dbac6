import { defineProvider } from "../../../catalog/provider.ts";

/** Frankfurter, a free copy of central banks' rates; asked for the ECB's alone. */
export const frankfurter = defineProvider({
  id: "frankfurter",
  title: "Frankfurter (ECB)",
  docs_url: "https://frankfurter.dev/",
  base_urls: ["https://api.frankfurter.dev/v2"],
  terms: {
    class: "attribution",
    note: "Free without a key or limits; the rates of provider ECB are the ECB's, whose reuse asks for its name.",
    attribution: {
      text: "Source: ECB statistics, read through Frankfurter. Reference rates are published for information only.",
      url: "https://www.ecb.europa.eu/services/using-our-site/disclaimer/html/index.en.html",
    },
  },
  limits: { rate_per_s: 2, burst: 6, timeout_ms: 6_000, attempts: 2, body_bytes_max: 3_000_000 },
});
