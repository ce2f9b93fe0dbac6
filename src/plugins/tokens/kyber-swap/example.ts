import type { SwapData } from "./schema.ts";

const data: SwapData = {
  chain: "solana",
  route_engine: "Raydium",
  base: {
    address: "So11111111111111111111111111111111111111112",
    symbol: "SOL",
    decimals: 9,
  },
  quote: {
    address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    symbol: "USDC",
    decimals: 6,
  },
  amount_in: "1432593000",
  amount_out: "99937961",
  min_amount_out: "99438271",
  effective_price: 69.760191,
  mid_price: 69.795556,
  price_impact_pct: 0.0507,
  provider_impact_pct: null,
  slippage_bps: 50,
  gas_usd: null,
  route: [
    {
      venue: "Raydium",
      pool: "11111111111111111111111111111111",
      share_pct: null,
      token_in: "So11111111111111111111111111111111111111112",
      token_out: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    },
  ],
  round_trip_loss_pct: 0.1013,
  quoted_at: "2026-11-21T06:00:00Z",
  expires_in_s: 15,
  alternatives: [],
  not_advice: true,
};

export const example = { params: {}, as_of: "2026-11-21T06:00:00Z", data };
