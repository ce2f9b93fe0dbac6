import { defineProvider } from "../../../catalog/provider.ts";

/** Pyth's own price service. Needs a paid key since 2026-08-26; the same prices stand in public ledgers. */
export const pythHermes = defineProvider({
  id: "pyth_hermes",
  title: "Pyth Hermes",
  docs_url: "https://docs.pyth.network/price-feeds/pro/pyth-core-upgrade",
  base_urls: ["https://pyth.dourolabs.app/hermes", "https://hermes.pyth.network"],
  terms: {
    class: "unclear",
    note: "Reuse depends on the plan the operator bought (docs.pyth.network); no general permission was found.",
  },
  key: { required: true, in: "header", name: "authorization", prefix: "Bearer " },
  // It takes 10 calls in any 10 s, and then none for a minute.
  limits: { rate_per_s: 0.5, burst: 5, timeout_ms: 5_000, attempts: 2, body_bytes_max: 500_000 },
});
