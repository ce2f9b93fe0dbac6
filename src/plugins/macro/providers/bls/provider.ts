import { defineProvider } from "intel-node";

/** The release schedule of the Bureau of Labor Statistics. It often refuses hosts of data centres. */
export const bls = defineProvider({
  id: "bls",
  title: "US Bureau of Labor Statistics",
  docs_url: "https://www.bls.gov/schedule/news_release/",
  base_urls: ["https://www.bls.gov"],
  terms: {
    class: "open",
    note: "Works of the US government; bls.gov/opub/copyright-information.htm.",
    attribution: {
      text: "Source: BLS. BLS.gov cannot vouch for the data after they have been retrieved.",
      url: "https://www.bls.gov/developers/termsOfService.htm",
    },
  },
  limits: { rate_per_s: 1, burst: 2, timeout_ms: 6_000, attempts: 1, body_bytes_max: 2_000_000 },
});
