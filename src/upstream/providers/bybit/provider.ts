import { defineProvider } from "../../../catalog/provider.ts";
import { NO_SUCH_PAIR } from "../no-such-subject.ts";
import { TakerConfig } from "../taker-config.ts";

/** Bybit's public market data; only with the operator's own licence. */
export const bybit = defineProvider({
  id: "bybit",
  title: "Bybit",
  docs_url: "https://bybit-exchange.github.io/docs/",
  base_urls: ["https://api.bybit.com"],
  terms: {
    class: "restricted",
    note: "Its terms forbid commercial exploitation of its data (review of 2026-08).",
  },
  limits: { rate_per_s: 5, burst: 10, timeout_ms: 5_000, attempts: 2, body_bytes_max: 1_000_000 },
  errors: NO_SUCH_PAIR.bybit,
  config: TakerConfig,
});
