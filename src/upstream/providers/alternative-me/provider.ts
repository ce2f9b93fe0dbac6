import { defineProvider } from "../../../catalog/provider.ts";

/** What has to stand next to a value of the index. */
export const FEAR_GREED_ATTRIBUTION = {
  text: "Crypto Fear & Greed Index by Alternative.me",
  url: "https://alternative.me/crypto/fear-and-greed-index/",
} as const;

/** Publisher of the Crypto Fear & Greed Index, and of prices and capitalisations of coins. */
export const alternativeMe = defineProvider({
  id: "alternative_me",
  title: "Alternative.me",
  docs_url: "https://alternative.me/crypto/fear-and-greed-index/",
  base_urls: ["https://api.alternative.me"],
  terms: {
    class: "attribution",
    note: "Commercial use is allowed if the source is named right next to the value (terms on its index page).",
    attribution: { text: "Data by Alternative.me", url: "https://alternative.me/crypto/" },
  },
  limits: { rate_per_s: 1, burst: 5, timeout_ms: 4_000, attempts: 2, body_bytes_max: 1_000_000 },
});
