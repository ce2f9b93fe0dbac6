import { defineProvider } from "intel-node";

/** Fiscal Data of the US Treasury: auctions. */
export const fiscaldata = defineProvider({
  id: "fiscaldata",
  title: "US Treasury Fiscal Data",
  docs_url: "https://fiscaldata.treasury.gov/api-documentation/",
  base_urls: ["https://api.fiscaldata.treasury.gov"],
  terms: { class: "open", note: "Open data of the US government; fiscaldata.treasury.gov/about-us." },
  limits: { rate_per_s: 2, burst: 4, timeout_ms: 6_000, attempts: 2, body_bytes_max: 1_000_000 },
});
