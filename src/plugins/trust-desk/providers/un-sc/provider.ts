import { defineProvider } from "intel-node";

export const unSc = defineProvider({
  id: "un_sc",
  title: "United Nations Security Council consolidated list",
  docs_url: "https://main.un.org/securitycouncil/en/content/un-sc-consolidated-list",
  base_urls: ["https://scsanctions.un.org/resources/xml/en"],
  terms: { class: "unclear", note: "Public file; terms of reuse were not confirmed." },
  limits: { rate_per_s: 0.5, burst: 1, timeout_ms: 120_000, attempts: 2, body_bytes_max: 60_000_000 },
});
