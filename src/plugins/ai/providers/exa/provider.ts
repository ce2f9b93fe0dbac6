import { defineProvider } from "intel-node";

/** Search by meaning; its key is the operator's. */
export const exa = defineProvider({
  id: "exa",
  title: "Exa",
  docs_url: "https://docs.exa.ai/reference/search",
  base_urls: ["https://api.exa.ai"],
  key: { required: true, in: "header", name: "x-api-key" },
  terms: {
    class: "unclear",
    note: "Terms of resale were not read.",
  },
  limits: {
    rate_per_s: 5,
    burst: 5,
    timeout_ms: 4_000,
    attempts: 1,
    body_bytes_max: 1_000_000,
    quotas: { month: 1_400 },
  },
});
