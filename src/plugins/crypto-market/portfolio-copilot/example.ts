import type { CopilotData } from "./schema.ts";

const data: CopilotData = {
  regime: "chop",
  volatility_state: "normal",
  assets: [
    { symbol: "BTC", vol_pct: 45, inverse_vol_weight: 0.4324 },
    { symbol: "ETH", vol_pct: 60, inverse_vol_weight: 0.3243 },
    { symbol: "SOL", vol_pct: 80, inverse_vol_weight: 0.2432 },
  ],
  sigma_risky_pct: 54.35,
  profiles: [
    {
      id: "conservative",
      target_vol_pct: 15,
      multiplier: 0.7,
      gross_frac: 0.1932,
      weights: { BTC: 0.0835, ETH: 0.0627, SOL: 0.047, USDC: 0.8068 },
      expected_vol_pct: 10.5,
      var95_1d_pct: 0.9,
      var95_30d_pct: 4.95,
      worst_scenario_pct: -15.7,
      worst_scenarios: [
        { id: "bear_2021_22", pnl_pct: -15.7 },
        { id: "bear_2025_26", pnl_pct: -11.07 },
        { id: "usdc_depeg_2023_03", pnl_pct: -9.76 },
        { id: "all_crypto_down_50", pnl_pct: -9.66 },
        { id: "alts_down_60_btc_down_30", pnl_pct: -9.09 },
      ],
      rebalance_rule: "Rebalance when a weight drifts by more than 20 % of itself or by more than 5 percentage points.",
    },
    {
      id: "balanced",
      target_vol_pct: 30,
      multiplier: 0.7,
      gross_frac: 0.3864,
      weights: { BTC: 0.1671, ETH: 0.1253, SOL: 0.094, USDC: 0.6136 },
      expected_vol_pct: 21,
      var95_1d_pct: 1.81,
      var95_30d_pct: 9.9,
      worst_scenario_pct: -31.4,
      worst_scenarios: [
        { id: "bear_2021_22", pnl_pct: -31.4 },
        { id: "bear_2025_26", pnl_pct: -22.15 },
        { id: "all_crypto_down_50", pnl_pct: -19.32 },
        { id: "alts_down_60_btc_down_30", pnl_pct: -18.17 },
        { id: "covid_2020_03_12", pnl_pct: -17.86 },
      ],
      rebalance_rule: "Rebalance when a weight drifts by more than 20 % of itself or by more than 5 percentage points.",
    },
    {
      id: "aggressive",
      target_vol_pct: 50,
      multiplier: 0.7,
      gross_frac: 0.644,
      weights: { BTC: 0.2785, ETH: 0.2089, SOL: 0.1567, USDC: 0.356 },
      expected_vol_pct: 35,
      var95_1d_pct: 3.01,
      var95_30d_pct: 16.5,
      worst_scenario_pct: -52.33,
      worst_scenarios: [
        { id: "bear_2021_22", pnl_pct: -52.33 },
        { id: "bear_2025_26", pnl_pct: -36.91 },
        { id: "all_crypto_down_50", pnl_pct: -32.2 },
        { id: "alts_down_60_btc_down_30", pnl_pct: -30.29 },
        { id: "covid_2020_03_12", pnl_pct: -29.76 },
      ],
      rebalance_rule: "Rebalance when a weight drifts by more than 20 % of itself or by more than 5 percentage points.",
    },
  ],
  changes_since_yesterday: [
    { id: "conservative", asset: "BTC", from_frac: 0.0819, to_frac: 0.0835, rebalance: false },
    { id: "conservative", asset: "ETH", from_frac: 0.0614, to_frac: 0.0627, rebalance: false },
    { id: "conservative", asset: "SOL", from_frac: 0.0461, to_frac: 0.047, rebalance: false },
    { id: "conservative", asset: "USDC", from_frac: 0.8106, to_frac: 0.8068, rebalance: false },
    { id: "balanced", asset: "BTC", from_frac: 0.1638, to_frac: 0.1671, rebalance: false },
    { id: "balanced", asset: "ETH", from_frac: 0.1229, to_frac: 0.1253, rebalance: false },
    { id: "balanced", asset: "SOL", from_frac: 0.0921, to_frac: 0.094, rebalance: false },
    { id: "balanced", asset: "USDC", from_frac: 0.6212, to_frac: 0.6136, rebalance: false },
    { id: "aggressive", asset: "BTC", from_frac: 0.273, to_frac: 0.2785, rebalance: false },
    { id: "aggressive", asset: "ETH", from_frac: 0.2048, to_frac: 0.2089, rebalance: false },
    { id: "aggressive", asset: "SOL", from_frac: 0.1536, to_frac: 0.1567, rebalance: false },
    { id: "aggressive", asset: "USDC", from_frac: 0.3686, to_frac: 0.356, rebalance: false },
  ],
  summary:
    "This is a sideways market with normal volatility. " +
    "BTC, ETH and SOL, weighted by 1 / volatility, move by 54.35 % a year. " +
    "Of the profiles, conservative holds 19.3 % in risky assets for a volatility of 10.5 % a year; " +
    "balanced holds 38.6 % in risky assets for a volatility of 21 % a year; aggressive holds 64.4 % in " +
    "risky assets for a volatility of 35 % a year. " +
    "The rest is USDC. " +
    "These are results of fixed rules, not advice.",
  written_by: "template",
};

export const example = { params: {}, as_of: "2026-10-01T00:00:00Z", data };
