import type { StockQuoteData } from "./schema.ts";

const data: StockQuoteData = {
  symbol: "SOFI",
  name: "SoFi Technologies, Inc.",
  exchange: "Nasdaq",
  currency: "USD",
  price: 17.905,
  price_basis: "mid",
  contradicted_by: [],
  is_proxy: false,
  bid: 17.9,
  ask: 17.91,
  spread_bps: 5.585,
  day_high: 17.93,
  day_low: 16.89,
  volume: 30_680_280,
  prev_close: 17.02,
  change: 0.885,
  change_pct: 5.1998,
  change_basis: "node_close",
  range_position: 0.97596154,
  halted: false,
  corporate_action: null,
  session: {
    status: "open",
    next_open: "2026-09-03T13:30:00Z",
    next_close: "2026-09-02T20:00:00Z",
    calendar_confidence: "published",
  },
  oracle_check: null,
  quotes: [
    {
      provider: "rhj",
      kind: "share",
      price: 17.905,
      bid: 17.9,
      ask: 17.91,
      age_s: 4,
      used: true,
      terms: "unclear",
    },
  ],
};

export const vector = { params: { symbol: "SOFI" }, as_of: "2026-09-02T19:10:29Z", data };
