import type { ArbitrageData } from "./schema.ts";

const data: ArbitrageData = {
  market_state: "open",
  fee_bps_per_leg: 2,
  min_net_bps: 1,
  loops_checked: 24,
  opportunities: [],
  best_loop: {
    path: ["USD", "CHF", "EUR", "USD"],
    provider: "swissquote",
    gross_bps: -1.0968,
    net_bps: -7.0949,
    legs: [
      {
        pair: "USD/CHF",
        side: "sell",
        price: 0.85204,
        size: null,
      },
      {
        pair: "EUR/CHF",
        side: "buy",
        price: 0.92684,
        size: null,
      },
      {
        pair: "EUR/USD",
        side: "sell",
        price: 1.08767,
        size: null,
      },
    ],
    max_size: null,
    max_size_ccy: "USD",
    age_s: 0.4,
    is_stale: false,
    executable_confidence: "low",
  },
  synthetic_crosses: [
    {
      pair: "EUR/GBP",
      provider: "swissquote",
      bid: 0.7974,
      ask: 0.79747,
      synthetic_bid: 0.7973711,
      synthetic_ask: 0.79749406,
      mid_deviation_bps: 0.0304,
    },
    {
      pair: "EUR/GBP",
      provider: "kraken",
      bid: 0.79739,
      ask: 0.79748,
      synthetic_bid: 0.7973389,
      synthetic_ask: 0.7975336,
      mid_deviation_bps: -0.0156,
    },
    {
      pair: "EUR/AUD",
      provider: "kraken",
      bid: 1.5996,
      ask: 1.59979,
      synthetic_bid: 1.5995559,
      synthetic_ask: 1.5999353,
      mid_deviation_bps: -0.3161,
    },
  ],
  cross_venue: [],
  verdict: "none",
};

/** From the sandbox; lists are cut short. */
export const example = { params: {}, as_of: "2026-01-13T14:00:00Z", data };
