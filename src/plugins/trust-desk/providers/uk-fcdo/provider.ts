import { defineProvider } from "intel-node";

/** Since 2026-01-28 the only list of the United Kingdom: the OFSI consolidated list has ended. */
export const ukFcdo = defineProvider({
  id: "uk_fcdo",
  title: "UK Sanctions List",
  docs_url: "https://www.gov.uk/government/publications/the-uk-sanctions-list",
  base_urls: ["https://sanctionslist.fcdo.gov.uk/docs"],
  terms: {
    class: "attribution",
    note: "Open Government Licence v3.0, as gov.uk states for its content.",
    attribution: {
      text: "Contains public sector information licensed under the Open Government Licence v3.0.",
      url: "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/",
    },
  },
  limits: { rate_per_s: 0.5, burst: 1, timeout_ms: 120_000, attempts: 2, body_bytes_max: 120_000_000 },
});
