import { defineProvider } from "intel-node";

/** pump.fun's own application interface: unofficial, and may vanish. */
export const pumpFun = defineProvider({
  id: "pump_fun",
  title: "pump.fun",
  docs_url: "https://pump.fun/docs",
  base_urls: ["https://frontend-api-v3.pump.fun"],
  hosts: { trades: "https://swap-api.pump.fun" },
  terms: { class: "unclear", note: "The interface of its own pages; no terms for others were found." },
  // The page's interface takes one call in two seconds; the tape 20 a minute and address, and then shuts for one.
  limits: { rate_per_s: 16 / 60, burst: 8, timeout_ms: 3_000, attempts: 1, body_bytes_max: 2_000_000 },
});
