import { defineProvider } from "../../../catalog/provider.ts";

/** Publisher of the Crypto Fear & Greed Index. */
export const alternativeMe = defineProvider({
  id: "alternative_me",
  title: "Alternative.me",
  docs_url: "https://alternative.me/crypto/fear-and-greed-index/",
  base_urls: ["https://api.alternative.me"],
  terms: {
    class: "attribution",
    note: "Commercial use is allowed if the source is named right next to the value (terms on its index page).",
    attribution: {
      text: "Crypto Fear & Greed Index by Alternative.me",
      url: "https://alternative.me/crypto/fear-and-greed-index/",
    },
  },
  limits: { rate_per_s: 1, burst: 5, timeout_ms: 4_000, attempts: 2, body_bytes_max: 1_000_000 },
});
