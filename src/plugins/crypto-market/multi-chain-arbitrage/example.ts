import type { MultiChainData } from "./schema.ts";

const data: MultiChainData = {
  rows: [
    {
      asset: "ETH",
      wrapper: "WETH",
      buy_chain: "base",
      sell_chain: "arbitrum",
      buy_price: 3_001.52,
      sell_price: 3_001.94,
      gross_bps: 1.4,
      bridge_bps: 1.3,
      gas_bps: 0.02,
      net_bps: 0.08,
      fee_tier_buy: 500,
      fee_tier_sell: 500,
      bridge_seconds_est: null,
    },
  ],
  wrapper_mismatch_rows: [
    {
      asset: "BTC",
      buy_wrapper: "WBTC",
      sell_wrapper: "cbBTC",
      wrapper_mismatch: true,
      buy_chain: "ethereum",
      sell_chain: "base",
      buy_price: 64_050,
      sell_price: 64_010,
      gross_bps: -6.25,
      bridge_bps: 1.3,
      gas_bps: 0.6,
      net_bps: -8.15,
      fee_tier_buy: 3_000,
      fee_tier_sell: 500,
      bridge_seconds_est: null,
    },
  ],
  per_chain: [
    {
      asset: "ETH",
      wrapper: "WETH",
      chain: "base",
      mid_usd: 3_000.0185,
      round_trip_cost_bps: 10.01,
      source: "uniswap_v3",
    },
    {
      asset: "ETH",
      wrapper: "WETH",
      chain: "arbitrum",
      mid_usd: 3_003.4421,
      round_trip_cost_bps: 10.02,
      source: "uniswap_v3",
    },
  ],
  best_net_bps: 0.08,
  executable: true,
  notional_usd: 10_000,
};

export const example = { params: {}, as_of: "2026-11-21T06:00:00Z", data };
