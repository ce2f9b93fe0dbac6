import type { EquityData } from "./schema.ts";

const data: EquityData = {
  symbol: "PETR4",
  isin: "BRPETRACNPR7",
  kind: "share",
  trade_date: "2026-01-12",
  close: 30.06,
  unit: "BRL",
  average: 29.8,
  low: 29.38,
  high: 30.21,
  previous_close: 29.53,
  change_pct: 1.79,
  trades: 14358,
  volume_shares: 8471276,
  turnover_brl: 252444025,
  returns: {
    d5: 2.5589,
    d21: -5.3526,
    d63: null,
    d252: null,
    ytd: -0.5624,
  },
  sma20: 30.308,
  sma50: null,
  sma200: null,
  rsi14: 42.7461,
  vol30_pct: null,
  drawdown_pct: -6.209,
  high_252d: null,
  low_252d: null,
  beta_ibov_252d: null,
  corr_ibov_252d: null,
  index_weight_pct: 8.864,
  members: null,
  session: {
    is_trading_day: true,
    is_open: true,
    open_utc: "2026-01-13T13:00:00.000Z",
    close_utc: "2026-01-13T20:55:00.000Z",
  },
  history_days: 25,
  adjusted_days: 0,
  text: "PETR4 closed at 30.06 BRL on 2026-01-12, up 1.79 % on the day.",
};

/** From the sandbox; lists are cut short. */
export const example = { params: { symbol: "PETR4" }, as_of: "2026-01-12T21:30:00Z", data };
