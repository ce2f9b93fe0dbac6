import { defineProvider } from "../../../catalog/provider.ts";

/** DEX Screener's table of exchange pools. */
export const dexscreener = defineProvider({
  id: "dexscreener",
  title: "DEX Screener",
  docs_url: "https://docs.dexscreener.com/api/reference",
  base_urls: ["https://api.dexscreener.com"],
  terms: { class: "unclear", note: "Keyless pool data; the terms were not read." },
  limits: { rate_per_s: 4, burst: 20, timeout_ms: 3_000, attempts: 2, body_bytes_max: 2_000_000 },
});
