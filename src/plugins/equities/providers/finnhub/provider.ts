import { defineProvider } from "intel-node";

/** Quotes of US shares. */
export const finnhub = defineProvider({
  id: "finnhub",
  title: "Finnhub",
  docs_url: "https://finnhub.io/terms-of-service",
  base_urls: ["https://finnhub.io/api/v1"],
  key: { required: true, in: "header", name: "x-finnhub-token" },
  terms: { class: "restricted", note: "Personal use; no redistribution of data or of what is derived from them." },
  limits: { rate_per_s: 1, burst: 10, timeout_ms: 5_000, attempts: 2, body_bytes_max: 1_000_000 },
});
