import { defineProvider } from "intel-node";

/** A register of x402 resources that sellers or facilitators filled: claims, not facts. */
export const cdpBazaar = defineProvider({
  id: "cdp_bazaar",
  title: "CDP x402 Bazaar",
  docs_url: "https://docs.cdp.coinbase.com/x402/bazaar",
  base_urls: ["https://api.cdp.coinbase.com/platform/v2/x402/discovery"],
  terms: { class: "unclear", note: "Public discovery API of a facilitator; the terms were not read." },
  limits: { rate_per_s: 1, burst: 2, timeout_ms: 8_000, attempts: 2, body_bytes_max: 8_000_000 },
});
