import { defineProvider } from "intel-node";

/** Quotes of US shares. */
export const massive = defineProvider({
  id: "massive",
  title: "Massive (formerly Polygon)",
  docs_url: "https://massive.com/terms",
  base_urls: ["https://api.massive.com"],
  key: { required: true, in: "query", name: "apiKey" },
  terms: {
    class: "restricted",
    note: "Only for end users inside the customer's own application, with a business plan.",
  },
  limits: { rate_per_s: 5, burst: 10, timeout_ms: 5_000, attempts: 2, body_bytes_max: 1_000_000 },
});
