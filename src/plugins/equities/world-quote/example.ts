import type { WorldQuoteData } from "./schema.ts";

const data: WorldQuoteData = {
  ...{ symbol: "2330", market: "TWSE", mic: "XTAI", name: "TSMC", currency: "TWD", price: 1_450 },
  ...{ price_usd: null, fx_rate: null, fx_date: null, open: 1_440, high: 1_455, low: 1_435, prev_close: 1_430 },
  ...{ volume: 31_759_188, change: 20, change_pct: 1.3986, quote_time: "2026-11-20T05:30:00Z", end_of_day: true },
  delay_minutes: null,
  session: {
    ...{ status: "closed", next_open: "2026-11-23T01:00:00Z", next_close: "2026-11-23T05:30:00Z" },
    calendar_confidence: "published",
  },
  ...{ zone: "Asia/Taipei", holiday_today: false },
};

export const example = { params: { market: "TWSE", symbol: "2330" }, as_of: "2026-11-20T05:30:00Z", data };
