import { defineProvider } from "intel-node";

/** Quotes of the world's exchanges. */
export const twelvedata = defineProvider({
  id: "twelvedata",
  title: "Twelve Data",
  docs_url: "https://twelvedata.com/terms",
  base_urls: ["https://api.twelvedata.com"],
  key: { required: true, in: "query", name: "apikey" },
  terms: { class: "restricted", note: "No redistribution without the add-on that allows it (twelvedata.com/terms)." },
  limits: { rate_per_s: 2, burst: 8, timeout_ms: 5_000, attempts: 2, body_bytes_max: 1_000_000 },
});
