import { defineProvider } from "intel-node";

/** Since 2026-01-28 the only list of the United Kingdom: the OFSI consolidated list has ended. */
export const ukFcdo = defineProvider({
  id: "uk_fcdo",
  title: "UK Sanctions List",
  docs_url: "https://www.gov.uk/government/publications/the-uk-sanctions-list",
  base_urls: ["https://sanctionslist.fcdo.gov.uk/docs"],
  terms: {
    class: "unclear",
    note: "gov.uk states the Open Government Licence v3.0 for its content; the list's own host states none.",
    attribution: {
      text: "UK Sanctions List, Foreign, Commonwealth & Development Office",
      url: "https://www.gov.uk/government/publications/the-uk-sanctions-list",
    },
  },
  limits: { rate_per_s: 0.5, burst: 1, timeout_ms: 120_000, attempts: 2, body_bytes_max: 120_000_000 },
});
