import { defineProvider } from "intel-node";

/** RugCheck's opinions of Solana tokens. */
export const rugcheck = defineProvider({
  id: "rugcheck",
  title: "RugCheck",
  docs_url: "https://api.rugcheck.xyz/swagger/index.html",
  base_urls: ["https://api.rugcheck.xyz/v1"],
  terms: { class: "unclear", note: "Keyless reports for applications; the terms were not read." },
  // No limit is published; 429 exists.
  limits: { rate_per_s: 1, burst: 12, timeout_ms: 3_000, attempts: 1, body_bytes_max: 2_000_000 },
});
