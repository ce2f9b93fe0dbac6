import { defineProvider } from "intel-node";

/** It has its own index; the operator brings the key. */
export const brave = defineProvider({
  id: "brave",
  title: "Brave Search",
  docs_url: "https://api-dashboard.search.brave.com/documentation",
  base_urls: ["https://api.search.brave.com"],
  key: { required: true, in: "header", name: "x-subscription-token" },
  terms: {
    class: "unclear",
    note: "Storing results needs a plan with that right; nothing is kept longer than ten minutes here.",
  },
  limits: {
    rate_per_s: 1,
    burst: 5,
    timeout_ms: 4_000,
    attempts: 1,
    body_bytes_max: 1_000_000,
    quotas: { month: 2_000 },
  },
});
