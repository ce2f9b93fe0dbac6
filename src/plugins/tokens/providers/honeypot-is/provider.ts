import { defineProvider } from "intel-node";

/** honeypot.is buys and sells a token on a copy of the chain. */
export const honeypotIs = defineProvider({
  id: "honeypot_is",
  title: "honeypot.is",
  docs_url: "https://docs.honeypot.is/ishoneypot",
  base_urls: ["https://api.honeypot.is/v2"],
  terms: { class: "unclear", note: "Keyless simulations for applications; the terms were not read." },
  limits: { rate_per_s: 1, burst: 10, timeout_ms: 3_000, attempts: 1, body_bytes_max: 500_000 },
});
