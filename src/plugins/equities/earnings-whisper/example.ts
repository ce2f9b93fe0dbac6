import type { EarningsQuarter, EarningsWhisperData } from "./schema.ts";

const quarter: EarningsQuarter = {
  ...{ period_end: "2026-09-26", eps: 1.7, derived: true, model_expected: 1.714286, sue: -0.506586 },
  ...{ accepted_at: "2026-10-29T20:30:41Z", hour: "amc" },
  url: "https://www.sec.gov/Archives/edgar/data/320193/000032019326000077/a8-k.htm",
};

const data: EarningsWhisperData = {
  ...{ mode: "symbol", symbol: "AAPL", company: "Apple Inc.", cik: 320_193 },
  next_report: {
    ...{ date: "2027-01-28", earliest: "2027-01-28", latest: "2027-01-30", hour: "amc", source: "estimated" },
  },
  eps_model: { expected: 1.5025, band_low: 1.475908, band_high: 1.529092, drift: 0.0925, sd: 0.026592, n: 8 },
  last_report: quarter,
  history: [quarter],
  beat_rate: { beats: 5, n: 8, wilson_low: 0.305742, wilson_high: 0.863155 },
  ...{ consensus: null, upcoming: [], universe_size: null },
};

export const example = { params: { symbol: "AAPL" }, as_of: "2026-10-30T00:00:00Z", data };
