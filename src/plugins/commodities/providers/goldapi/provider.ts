import { defineProvider } from "intel-node";

/** One price per metal, US dollars a troy ounce. */
export const goldapi = defineProvider({
  id: "goldapi",
  title: "gold-api.com",
  docs_url: "https://gold-api.com/docs",
  base_urls: ["https://api.gold-api.com"],
  terms: { class: "unclear", note: "A public, keyless address; no terms of reuse were found for it." },
  limits: { rate_per_s: 1, burst: 8, timeout_ms: 4_000, attempts: 2, body_bytes_max: 20_000 },
});
