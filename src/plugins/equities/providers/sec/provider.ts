import { defineProvider } from "intel-node";

/** The SEC's EDGAR: tickers, filings, XBRL facts. */
export const sec = defineProvider({
  id: "sec",
  title: "SEC EDGAR",
  docs_url: "https://www.sec.gov/search-filings/edgar-application-programming-interfaces",
  base_urls: ["https://www.sec.gov"],
  hosts: { data: "https://data.sec.gov", search: "https://efts.sec.gov" },
  terms: {
    class: "open",
    note: "Information on sec.gov is public and may be copied or distributed (sec.gov/privacy, dissemination).",
    attribution: { text: "Source: SEC EDGAR", url: "https://www.sec.gov/edgar" },
  },
  // Callers without a contact are refused, and so are those above 10 calls a second over all hosts.
  contact: true,
  limits: { rate_per_s: 8, burst: 8, timeout_ms: 8_000, attempts: 2, body_bytes_max: 4_000_000 },
});
