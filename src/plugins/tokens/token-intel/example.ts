import type { TokenIntelData } from "./schema.ts";

const data: TokenIntelData = {
  token: {
    chain: "solana",
    address: "So11111111111111111111111111111111111111112",
    name: "SOL",
    symbol: "SOL",
  },
  resolution: {
    method: "issuer_list",
    candidates: 1,
    runner_up_liquidity_ratio: null,
    is_ambiguous: false,
  },
  markets: {
    price_usd: 150,
    liquidity_usd: 30000000,
    volume_h24_usd: 60000000,
    pools: 1,
    change_h1_pct: 0.01,
    change_h24_pct: 0.01,
    price_dispersion_pct: null,
    top_pools: [
      {
        dex: "orca",
        pair_address: "9Es1Vwnks1w9tKEDJJcQgUzeoC2LALjkLdk2qExTxSja",
        price_usd: 150,
        liquidity_usd: 30000000,
        volume_h24_usd: 60000000,
      },
    ],
  },
  valuation: {
    fdv_usd: 5000000000,
    market_cap_usd: 5000000000,
    fdv_to_liquidity: 166.67,
  },
  holders: {
    top1_pct: 3.1,
    top10_pct: 17.2,
    insider_pct: 1,
    creator_pct: 0,
  },
  safety: {
    risk: 10.3,
    coverage: 0.8846,
    hard_fails: [],
    caps: [],
    unknown: ["lp"],
  },
  identity: {
    is_issuer: true,
    verified: true,
    has_link: true,
    paid_promotion: false,
  },
  flows: {
    buys_h1: 2400,
    sells_h1: 2300,
    buy_share_h24: 0.5106,
    smart_money_net_24h_usd: null,
  },
  sections_missing: ["flows.smart_money_net_24h_usd"],
  scope_note: "Not checked: whether the sources are right, the owner's plans, other pools, who the holders are.",
  not_advice: true,
};

export const example = { params: {}, as_of: "2026-11-21T06:00:00Z", data };
