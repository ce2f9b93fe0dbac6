import { defineProvider } from "intel-node";

/** Travel advisories of the US Department of State: a level from 1 to 4 for each country. */
export const stateAdvisories = defineProvider({
  id: "state_advisories",
  title: "US Department of State",
  docs_url: "https://travel.state.gov/content/travel/en/traveladvisories/traveladvisories.html",
  base_urls: ["https://cadataapi.state.gov"],
  terms: {
    class: "open",
    note: "Works of the US government.",
    attribution: { text: "Source: U.S. Department of State.", url: "https://travel.state.gov/" },
  },
  limits: { rate_per_s: 1, burst: 2, timeout_ms: 10_000, attempts: 2, body_bytes_max: 10_000_000 },
});
