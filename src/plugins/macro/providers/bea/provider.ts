import { defineProvider } from "intel-node";

/** Release dates of the Bureau of Economic Analysis. */
export const bea = defineProvider({
  id: "bea",
  title: "US Bureau of Economic Analysis",
  docs_url: "https://www.bea.gov/news/schedule",
  base_urls: ["https://apps.bea.gov"],
  terms: { class: "open", note: "Works of the US government; bea.gov, citing our information." },
  limits: { rate_per_s: 1, burst: 3, timeout_ms: 6_000, attempts: 2, body_bytes_max: 2_000_000 },
});
