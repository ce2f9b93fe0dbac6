import { defineProvider } from "intel-node";

/** PumpPortal's stream of launches and migrations of pump.fun. */
export const pumpportal = defineProvider({
  id: "pumpportal",
  title: "PumpPortal",
  docs_url: "https://pumpportal.fun/data-api/real-time",
  base_urls: ["https://pumpportal.fun/api"],
  terms: { class: "unclear", note: "A keyless stream for applications; the terms were not read." },
  limits: { rate_per_s: 0.5, burst: 4, timeout_ms: 5_000, attempts: 1, body_bytes_max: 200_000 },
});
