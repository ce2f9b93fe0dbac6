import { defineProvider } from "intel-node";

/** Quotes of US shares as the exchange's site shows them. */
export const nasdaq = defineProvider({
  id: "nasdaq",
  title: "Nasdaq.com",
  docs_url: "https://www.nasdaq.com/legal",
  base_urls: ["https://api.nasdaq.com/api"],
  terms: { class: "restricted", note: "Personal use, no automated capture, no copies (nasdaq.com/legal)." },
  limits: { rate_per_s: 1, burst: 4, timeout_ms: 5_000, attempts: 2, body_bytes_max: 1_000_000 },
});
