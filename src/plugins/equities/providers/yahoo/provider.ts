import { defineProvider } from "intel-node";

/** Yahoo Finance's charts. */
export const yahoo = defineProvider({
  id: "yahoo",
  title: "Yahoo Finance",
  docs_url: "https://legal.yahoo.com/us/en/yahoo/terms/otos/index.html",
  base_urls: ["https://query1.finance.yahoo.com"],
  terms: { class: "restricted", note: "For personal, non-commercial use (legal.yahoo.com)." },
  limits: { rate_per_s: 1, burst: 3, timeout_ms: 6_000, attempts: 2, body_bytes_max: 1_000_000 },
});
