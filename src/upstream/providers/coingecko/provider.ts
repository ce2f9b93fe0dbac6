import { defineProvider } from "../../../catalog/provider.ts";

/** CoinGecko's public API; only with the operator's own licence. */
export const coingecko = defineProvider({
  id: "coingecko",
  title: "CoinGecko",
  docs_url: "https://docs.coingecko.com/",
  base_urls: ["https://api.coingecko.com/api/v3"],
  terms: {
    class: "restricted",
    note: "Keyless and demo use is non-commercial; paid plans carry a commercial licence (review of 2026-08).",
    attribution: { text: "Powered by CoinGecko", url: "https://www.coingecko.com" },
  },
  key: { required: false, in: "header", name: "x-cg-demo-api-key" },
  limits: { rate_per_s: 0.5, burst: 4, timeout_ms: 4_000, attempts: 2, body_bytes_max: 500_000 },
});
