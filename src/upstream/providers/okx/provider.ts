import { defineProvider } from "../../../catalog/provider.ts";
import { NO_SUCH_PAIR } from "../no-such-subject.ts";
import { TakerConfig } from "../taker-config.ts";

/** OKX's public market data; only with the operator's own licence. */
export const okx = defineProvider({
  id: "okx",
  title: "OKX",
  docs_url: "https://www.okx.com/docs-v5/en/",
  base_urls: ["https://www.okx.com"],
  terms: {
    class: "restricted",
    note: "Its API Agreement, 9.4, forbids redistribution and competing data products (review of 2026-08).",
  },
  limits: { rate_per_s: 5, burst: 10, timeout_ms: 5_000, attempts: 2, body_bytes_max: 1_000_000 },
  errors: NO_SUCH_PAIR.okx,
  config: TakerConfig,
});
