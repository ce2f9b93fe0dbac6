import { defineProvider } from "intel-node";

/** The Federal Reserve Board's calendar. */
export const fed = defineProvider({
  id: "fed",
  title: "Federal Reserve Board",
  docs_url: "https://www.federalreserve.gov/newsevents/calendar.htm",
  base_urls: ["https://www.federalreserve.gov"],
  terms: { class: "open", note: "Works of the US government; federalreserve.gov/disclaimer.htm." },
  limits: { rate_per_s: 1, burst: 3, timeout_ms: 6_000, attempts: 2, body_bytes_max: 4_000_000 },
});
