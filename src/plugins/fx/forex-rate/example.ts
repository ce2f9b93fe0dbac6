import type { ForexData } from "./schema.ts";

const data: ForexData = {
  base: "EUR",
  quote: "USD",
  rate: 1.0877125,
  inverse: 0.91936058,
  kind: "live",
  bid: 1.08767,
  ask: 1.08775,
  spread_bps: 0.7355,
  quoted_by: "swissquote",
  official: {
    rate: 1.09063,
    date: "2026-01-12",
  },
  deviation_from_official_bps: -26.7506,
  dispersion_bps: 0.046,
  change_1d_pct: -0.5417,
  change_5d_pct: 0.0459,
  change_22d_pct: -3.8254,
  realised_vol_30d_pct: 13.023,
  pctile_52w: 0.1231,
  market_state: "open",
  quotes: [
    {
      provider: "swissquote",
      mid: 1.08771,
      bid: 1.08767,
      ask: 1.08775,
      age_s: 0.4,
      used: true,
      reject_reason: null,
    },
    {
      provider: "kraken",
      mid: 1.087715,
      bid: 1.08765,
      ask: 1.08778,
      age_s: null,
      used: true,
      reject_reason: null,
    },
  ],
};

/** From the sandbox; lists are cut short. */
export const example = { params: { pair: "EUR/USD" }, as_of: "2026-01-13T14:00:00Z", data };
