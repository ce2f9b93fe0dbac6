import type { RegimeData } from "./schema.ts";

const data: RegimeData = {
  regime: "bull",
  score: 0.42,
  confidence: 0.6,
  since: "2026-08-21",
  days_in_regime: 40,
  factors: [
    { name: "trend_200", value: 0.5, weight: 0.25, contribution: 0.125 },
    { name: "cross_50_200", value: -0.2, weight: 0.15, contribution: -0.03 },
    { name: "mom_90", value: 0.8, weight: 0.2, contribution: 0.16 },
    { name: "breadth_50", value: 0.3, weight: 0.25, contribution: 0.075 },
    { name: "drawdown_365", value: 0.6, weight: 0.15, contribution: 0.09 },
  ],
  chop_gate: false,
  er30: 0.4127,
  adx14: 27.4,
  volatility: { rv30_pct: 41.3, percentile: 38.22, state: "normal", dvol: null },
  breadth: { above_sma50_frac: 0.65, above_sma200_frac: 0.5, n: 20 },
  p_turbulent: 0.0731,
  btc_close: 84_512.5,
  bar_date: "2026-09-29",
  previous: { regime: "chop", ended: "2026-08-20" },
  track: [
    { regime: "bull", days: 1_105, fwd30_mean_pct: 6.8, fwd30_median_pct: 1.5, up_share_frac: 0.53 },
    { regime: "bear", days: 909, fwd30_mean_pct: 1.9, fwd30_median_pct: 1.5, up_share_frac: 0.55 },
    { regime: "chop", days: 852, fwd30_mean_pct: 3.5, fwd30_median_pct: 2.6, up_share_frac: 0.56 },
  ],
  track_basis: {
    source: "Binance BTC/USDT, measured once",
    from: "2018-09-01",
    to: "2026-07-31",
    breadth: "the 3 to 11 larger coins that traded at the time",
  },
};

export const example = { params: {}, as_of: "2026-09-30T00:00:00Z", data };
