import { defineProvider } from "intel-node";

/** Results of Google; its key is the operator's. */
export const serper = defineProvider({
  id: "serper",
  title: "Serper",
  docs_url: "https://serper.dev/",
  base_urls: ["https://google.serper.dev"],
  key: { required: true, in: "header", name: "x-api-key" },
  terms: {
    class: "unclear",
    note: "Results of Google; terms of resale were not read.",
  },
  limits: {
    rate_per_s: 5,
    burst: 5,
    timeout_ms: 4_000,
    attempts: 1,
    body_bytes_max: 1_000_000,
    quotas: { month: 2_500 },
  },
});
