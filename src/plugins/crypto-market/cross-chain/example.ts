import type { CrossChainData } from "./schema.ts";

const data: CrossChainData = {
  pair: "ETH/USDC",
  chains: [
    {
      chain: "base",
      wrapper: "WETH",
      price_usd: 3_000.0185,
      impact_bps_10k: 0.42,
      impact_bps_100k: 4.71,
      liquidity_usd: null,
      source: "uniswap_v3",
    },
    {
      chain: "polygon",
      wrapper: "WETH",
      price_usd: 3_006.6185,
      impact_bps_10k: 2.9,
      impact_bps_100k: 35.12,
      liquidity_usd: null,
      source: "uniswap_v3",
    },
  ],
  spread_bps: 22,
  spread_wrapper: "WETH",
  cheapest_chain: "base",
  dearest_chain: "polygon",
  route: {
    provider: "lifi",
    tool: "AcrossV4",
    from_chain: "polygon",
    to_chain: "base",
    amount_in_usdc: 10_000,
    amount_out: 9_991.2,
    amount_out_min: 9_941.244,
    fees_usd: 8.8,
    gas_usd: 0.85,
    duration_s: 4,
    cost_bps: 9.65,
    quoted_at: "2026-11-21T06:00:00Z",
  },
  swap_cost_bps: 13.4,
  net_bps: -1.05,
  break_even: false,
  cctp: [
    { from: "polygon", to: "base", fast_bps: null, standard_bps: 0 },
    { from: "base", to: "polygon", fast_bps: 1.3, standard_bps: 0 },
  ],
};

export const example = { params: { pair: "ETH/USDC" }, as_of: "2026-11-21T06:00:00Z", data };
