import type { StressData } from "./schema.ts";

/** Six of the seventeen scenarios. */
const data: StressData = {
  value_usd: 40000,
  gross_usd: 40000,
  positions: [
    {
      asset: "BTC",
      quantity: 0.5,
      price_usd: 64000,
      value_usd: 32000,
      weight_frac: 0.8,
      source: "oracle-consensus",
      priced: true,
    },
    {
      asset: "ETH",
      quantity: 4,
      price_usd: 2000,
      value_usd: 8000,
      weight_frac: 0.2,
      source: "oracle-consensus",
      priced: true,
    },
  ],
  scenarios: [
    {
      id: "covid_2020_03_12",
      kind: "historical",
      from: "2020-03-11",
      to: "2020-03-12",
      pnl_usd: -16208,
      pnl_pct: -40.52,
      worst_asset: "BTC",
      unfilled: [],
      rows: [
        { asset: "BTC", shock_pct: -39.5, shock_source: "table", pnl_usd: -12640 },
        { asset: "ETH", shock_pct: -44.6, shock_source: "table", pnl_usd: -3568 },
      ],
    },
    {
      id: "terra_2022_05",
      kind: "historical",
      from: "2022-05-04",
      to: "2022-05-12",
      pnl_usd: -11272,
      pnl_pct: -28.18,
      worst_asset: "BTC",
      unfilled: [],
      rows: [
        { asset: "BTC", shock_pct: -26.9, shock_source: "table", pnl_usd: -8608 },
        { asset: "ETH", shock_pct: -33.3, shock_source: "table", pnl_usd: -2664 },
      ],
    },
    {
      id: "ftx_2022_11",
      kind: "historical",
      from: "2022-11-05",
      to: "2022-11-09",
      pnl_usd: -10640,
      pnl_pct: -26.6,
      worst_asset: "BTC",
      unfilled: [],
      rows: [
        { asset: "BTC", shock_pct: -25.2, shock_source: "table", pnl_usd: -8064 },
        { asset: "ETH", shock_pct: -32.2, shock_source: "table", pnl_usd: -2576 },
      ],
    },
    {
      id: "bear_2021_22",
      kind: "historical",
      from: "2021-11-08",
      to: "2022-11-21",
      pnl_usd: -30672,
      pnl_pct: -76.68,
      worst_asset: "BTC",
      unfilled: [],
      rows: [
        { asset: "BTC", shock_pct: -76.6, shock_source: "table", pnl_usd: -24512 },
        { asset: "ETH", shock_pct: -77, shock_source: "table", pnl_usd: -6160 },
      ],
    },
    {
      id: "correlation_1_3_sigma",
      kind: "hypothetical",
      from: null,
      to: null,
      pnl_usd: -3260.6,
      pnl_pct: -8.15,
      worst_asset: "BTC",
      unfilled: [],
      rows: [
        { asset: "BTC", shock_pct: -7.19, shock_source: "rule", pnl_usd: -2300.25 },
        { asset: "ETH", shock_pct: -12, shock_source: "rule", pnl_usd: -960.34 },
      ],
    },
    {
      id: "liquidity_exit",
      kind: "hypothetical",
      from: null,
      to: null,
      pnl_usd: -45.04,
      pnl_pct: -0.11,
      worst_asset: "BTC",
      unfilled: [],
      rows: [
        { asset: "BTC", shock_pct: -0.11, shock_source: "rule", pnl_usd: -36.07 },
        { asset: "ETH", shock_pct: -0.11, shock_source: "rule", pnl_usd: -8.97 },
      ],
    },
  ],
  var: [
    {
      confidence: 0.95,
      rows: [
        { method: "normal", horizon_d: 1, var_usd: 1732.97, es_usd: 2173.21 },
        { method: "normal", horizon_d: 10, var_usd: 5480.12, es_usd: 6872.3 },
        { method: "cornish_fisher", horizon_d: 1, var_usd: 1713.34, es_usd: null },
        { method: "cornish_fisher", horizon_d: 10, var_usd: 5418.05, es_usd: null },
        { method: "historical", horizon_d: 1, var_usd: 1343.03, es_usd: 1872.68 },
        { method: "historical", horizon_d: 10, var_usd: 4247.04, es_usd: 5921.95 },
      ],
    },
    {
      confidence: 0.99,
      rows: [
        { method: "normal", horizon_d: 1, var_usd: 2450.97, es_usd: 2807.99 },
        { method: "normal", horizon_d: 10, var_usd: 7750.64, es_usd: 8879.64 },
        { method: "cornish_fisher", horizon_d: 1, var_usd: 2433.87, es_usd: null },
        { method: "cornish_fisher", horizon_d: 10, var_usd: 7696.56, es_usd: null },
        { method: "historical", horizon_d: 1, var_usd: 2295.04, es_usd: 2493.48 },
        { method: "historical", horizon_d: 10, var_usd: 7257.55, es_usd: 7885.09 },
      ],
    },
  ],
  component_var: [
    { asset: "BTC", share_frac: 0.7187 },
    { asset: "ETH", share_frac: 0.2813 },
  ],
  sigma_annual_pct: 50.32,
  correlation_to_btc: 0.9875,
  diversification_ratio: 1.0316,
  history_days: 365,
  no_history: [],
  unpriced: [],
  worst_scenario: "bear_2021_22",
};

export const example = {
  params: { positions: '[{"asset":"BTC","quantity":0.5},{"asset":"ETH","quantity":4}]' },
  as_of: "2026-10-01T12:00:00Z",
  data,
};
