import { defineProvider } from "intel-node";

/** Spot prices of oil and gas from the US Energy Information Administration; its key is free. */
export const eia = defineProvider({
  id: "eia",
  title: "US Energy Information Administration",
  docs_url: "https://www.eia.gov/opendata/documentation.php",
  base_urls: ["https://api.eia.gov"],
  key: { required: true, in: "query", name: "api_key" },
  terms: {
    class: "open",
    note: "Works of the US government; eia.gov/about/copyrights_reuse.php.",
    attribution: { text: "Source: U.S. Energy Information Administration.", url: "https://www.eia.gov/opendata/" },
  },
  limits: { rate_per_s: 1, burst: 4, timeout_ms: 8_000, attempts: 2, body_bytes_max: 1_000_000 },
});
