import { defineProvider } from "intel-node";

/** Quotes of US shares, 15 minutes late. */
export const cboe = defineProvider({
  id: "cboe",
  title: "Cboe delayed quotes",
  docs_url: "https://www.cboe.com/terms",
  base_urls: ["https://cdn.cboe.com/api/global/delayed_quotes"],
  terms: { class: "restricted", note: "No redistribution (cboe.com/terms)." },
  limits: { rate_per_s: 2, burst: 6, timeout_ms: 5_000, attempts: 2, body_bytes_max: 1_000_000 },
});
