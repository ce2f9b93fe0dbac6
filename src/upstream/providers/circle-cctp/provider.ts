import { defineProvider } from "../../../catalog/provider.ts";

/** Circle's Cross-Chain Transfer Protocol: USDC burnt on one chain and minted on another. */
export const circleCCTP = defineProvider({
  id: "circle_cctp",
  title: "Circle CCTP",
  docs_url: "https://developers.circle.com/cctp",
  base_urls: ["https://iris-api.circle.com"],
  terms: { class: "unclear", note: "Keyless fee table for integrators; the terms were not read." },
  limits: { rate_per_s: 10, burst: 32, timeout_ms: 3_000, attempts: 2, body_bytes_max: 20_000 },
});
