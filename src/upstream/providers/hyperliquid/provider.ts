import { defineProvider } from "../../../catalog/provider.ts";

/** Hyperliquid's public market data of perpetual futures. */
export const hyperliquid = defineProvider({
  id: "hyperliquid",
  title: "Hyperliquid",
  docs_url: "https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/info-endpoint",
  base_urls: ["https://api.hyperliquid.xyz"],
  terms: {
    class: "unclear",
    note: "Keyless public market data; the API documentation was read and holds no prohibition, the terms were not.",
  },
  // It allows a weight of 1,200 a minute. Calls made here weigh 20, and bars another 1 per 60: 46 a minute at most.
  limits: { rate_per_s: 0.5, burst: 16, timeout_ms: 8_000, attempts: 2, body_bytes_max: 4_000_000 },
});
