import { defineProvider } from "../../../catalog/provider.ts";
import { TakerConfig } from "../taker-config.ts";

/** Coinbase Exchange's public market data; only with the operator's own licence. */
export const coinbase = defineProvider({
  id: "coinbase",
  title: "Coinbase Exchange",
  docs_url: "https://docs.cdp.coinbase.com/exchange/",
  base_urls: ["https://api.exchange.coinbase.com"],
  terms: {
    class: "restricted",
    note: "Its Market Data Terms ask for written consent before data is passed on or displayed (review of 2026-08).",
  },
  // A whole aggregated book of a large coin is megabytes, and there is no shorter one but the best bid and ask.
  limits: { rate_per_s: 5, burst: 10, timeout_ms: 5_000, attempts: 2, body_bytes_max: 8_000_000 },
  config: TakerConfig,
});
