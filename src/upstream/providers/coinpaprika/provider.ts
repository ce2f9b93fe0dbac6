import { defineProvider } from "../../../catalog/provider.ts";

/** Coinpaprika's public API; only with the operator's own licence. */
export const coinpaprika = defineProvider({
  id: "coinpaprika",
  title: "Coinpaprika",
  docs_url: "https://docs.coinpaprika.com/",
  base_urls: ["https://api.coinpaprika.com/v1"],
  terms: { class: "restricted", note: "Its free plan is not for commercial use (review of 2026-08)." },
  limits: { rate_per_s: 8, burst: 40, timeout_ms: 3_000, attempts: 1, body_bytes_max: 200_000 },
});
