import { defineProvider } from "intel-node";

/** The United States' lists. The publication service leads to its store; the older address leads to the service. */
export const ofac = defineProvider({
  id: "ofac",
  title: "OFAC sanctions lists",
  docs_url: "https://ofac.treasury.gov/sanctions-list-service",
  base_urls: ["https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports"],
  hosts: { treasury: "https://www.treasury.gov/ofac/downloads" },
  redirects: ["sanctionslistservice.ofac.treas.gov", "www.treasury.gov", "ofac.treasury.gov"],
  terms: { class: "open", note: "A work of the United States government, in the public domain." },
  limits: { rate_per_s: 1, burst: 2, timeout_ms: 120_000, attempts: 2, body_bytes_max: 120_000_000 },
});
