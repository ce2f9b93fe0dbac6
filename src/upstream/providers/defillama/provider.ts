import { defineProvider } from "../../../catalog/provider.ts";

/** DefiLlama's prices of tokens; only with the operator's own licence. */
export const defillama = defineProvider({
  id: "defillama",
  title: "DefiLlama",
  docs_url: "https://api-docs.defillama.com/",
  base_urls: ["https://coins.llama.fi"],
  terms: { class: "restricted", note: "Its terms allow personal, non-commercial use (review of 2026-08)." },
  limits: { rate_per_s: 2, burst: 10, timeout_ms: 3_000, attempts: 1, body_bytes_max: 100_000 },
});
