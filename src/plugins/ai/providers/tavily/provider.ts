import { defineProvider } from "intel-node";

/** Search for agents; its key is the operator's. */
export const tavily = defineProvider({
  id: "tavily",
  title: "Tavily",
  docs_url: "https://docs.tavily.com/documentation/api-reference/endpoint/search",
  base_urls: ["https://api.tavily.com"],
  key: { required: true, in: "header", name: "authorization", prefix: "Bearer " },
  terms: {
    class: "unclear",
    note: "Terms of resale were not read.",
  },
  limits: {
    rate_per_s: 2,
    burst: 5,
    timeout_ms: 4_000,
    attempts: 1,
    body_bytes_max: 1_000_000,
    quotas: { month: 1_000 },
  },
});
