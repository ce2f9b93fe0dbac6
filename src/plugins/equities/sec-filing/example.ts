import type { SecFilingData } from "./schema.ts";

const data: SecFilingData = {
  window_hours: 24,
  from: "2026-04-29T20:30:41Z",
  to: "2026-04-30T20:30:41Z",
  filings_seen: 412,
  items_count: { "2.02": 141, "9.01": 320 },
  filings: [
    {
      ...{ accession: "0000320193-26-000051", cik: 320_193, ticker: "AAPL", company: "Apple Inc.", form: "8-K" },
      ...{ accepted_at: "2026-04-30T20:30:41Z", after_hours: true, score: 55 },
      items: [
        { code: "2.02", title: "Results of operations", weight: 55 },
        { code: "9.01", title: "Financial statements and exhibits", weight: 0 },
      ],
      factors: [{ name: "heaviest", value: 55 }],
      url: "https://www.sec.gov/Archives/edgar/data/320193/000032019326000051/0000320193-26-000051-index.htm",
    },
  ],
  unusual: [],
};

export const example = { params: {}, as_of: "2026-04-30T20:30:41Z", data };
