import { defineProvider } from "../../../catalog/provider.ts";
import { NO_SUCH_PAIR } from "../no-such-subject.ts";
import { TakerConfig } from "../taker-config.ts";

/** Binance's public market data host, which answers where the trading host does not; only with a licence. */
export const binance = defineProvider({
  id: "binance",
  title: "Binance",
  docs_url: "https://developers.binance.com/docs/binance-spot-api-docs",
  base_urls: ["https://data-api.binance.vision"],
  terms: {
    class: "restricted",
    note: "Its terms list paid data services among the uses that need consent (review of 2026-08).",
  },
  limits: { rate_per_s: 5, burst: 10, timeout_ms: 5_000, attempts: 2, body_bytes_max: 1_000_000 },
  errors: NO_SUCH_PAIR.binance,
  config: TakerConfig,
});
