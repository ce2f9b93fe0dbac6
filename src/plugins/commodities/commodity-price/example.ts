import type { CommodityData } from "./schema.ts";

const data: CommodityData = {
  symbol: "gold",
  name: "Gold",
  unit: "USD/troy oz",
  currency: "USD",
  freshness: "live",
  price: 4070.1435,
  price_type: "spot_mid",
  observed_at: "2026-01-13T13:59:59.600Z",
  bid: 4069.981,
  ask: 4070.306,
  dispersion_bps: 4.0444,
  spread_bps: 0.7985,
  related: {
    name: "gold_silver_ratio",
    value: 69.368775,
    observed_at: "2026-01-13T13:59:59.600Z",
  },
  quotes: [
    {
      provider: "swissquote",
      kind: "dealer",
      mid: 4070.1435,
      bid: 4069.981,
      ask: 4070.306,
      age_s: 0.4,
      used: true,
      reject_reason: null,
    },
    {
      provider: "goldapi",
      kind: "spot",
      mid: 4071.79,
      bid: null,
      ask: null,
      age_s: 4,
      used: true,
      reject_reason: null,
    },
    {
      provider: "evm_rpc",
      kind: "oracle",
      mid: 4070.7651,
      bid: null,
      ask: null,
      age_s: 120,
      used: true,
      reject_reason: null,
    },
    {
      provider: "kraken",
      kind: "token",
      mid: 4071.2833,
      bid: 4070.8762,
      ask: 4071.6904,
      age_s: 0,
      used: true,
      reject_reason: null,
    },
  ],
  change_pct: -0.194,
  change_30d_pct: null,
  pctile_1y: null,
  change_basis: "node_fix",
  conversions: [
    {
      unit: "USD/g",
      value: 130.85815,
    },
    {
      unit: "USD/kg",
      value: 130858.15,
    },
  ],
};

/** From the sandbox. */
export const example = { params: { symbol: "gold" }, as_of: "2026-01-13T13:59:59.600Z", data };
