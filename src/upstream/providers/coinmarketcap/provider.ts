import { defineProvider } from "../../../catalog/provider.ts";

/** CoinMarketCap's professional API; every call needs the operator's key. */
export const coinmarketcap = defineProvider({
  id: "coinmarketcap",
  title: "CoinMarketCap",
  docs_url: "https://coinmarketcap.com/api/documentation/v1/",
  base_urls: ["https://pro-api.coinmarketcap.com"],
  terms: {
    class: "attribution",
    note: "The free plan is reported to include commercial use but not resale of the bare data; read your own plan's.",
    attribution: { text: "Data provided by CoinMarketCap.com", url: "https://coinmarketcap.com" },
  },
  key: { required: true, in: "header", name: "X-CMC_PRO_API_KEY" },
  limits: { rate_per_s: 0.5, burst: 5, timeout_ms: 4_000, attempts: 2, body_bytes_max: 1_000_000 },
});
