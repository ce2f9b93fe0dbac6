import type { SmartMoneyData } from "./schema.ts";

const data: SmartMoneyData = {
  window: { from: "2026-09-24T12:34:56Z", to: "2026-10-01T12:34:56Z" },
  sampled: {
    trades: 551,
    chains: [
      { chain: "ethereum", pools: 7, blocks_scanned: 25, blocks_expected: 50400 },
      { chain: "base", pools: 9, blocks_scanned: 150, blocks_expected: 302400 },
    ],
  },
  wallets: [
    {
      chain: "base",
      address: "0xa36a8a24a043c3b673d205304478339b9b476487",
      score: 76.2,
      factors: [
        { id: "profit", points: 33.81 },
        { id: "win_rate_lower95", points: 28.9 },
        { id: "tokens", points: 13.5 },
      ],
      realized_pnl_usd: 5714.22,
      closed_trades: 10,
      wins: 10,
      win_rate: 1,
      win_rate_lower95: 0.7225,
      tokens: 9,
      unmatched_share: 0.6816,
      median_hold_min: 1.2,
      last_trade_at: "2026-10-01T12:34:56Z",
    },
    {
      chain: "base",
      address: "0x8cadadd7a64954bf8d62be3351f8b2eb631e48da",
      score: 72.9,
      factors: [
        { id: "profit", points: 32.41 },
        { id: "win_rate_lower95", points: 27.02 },
        { id: "tokens", points: 13.5 },
      ],
      realized_pnl_usd: 3985.46,
      closed_trades: 8,
      wins: 8,
      win_rate: 1,
      win_rate_lower95: 0.6756,
      tokens: 9,
      unmatched_share: 0.7476,
      median_hold_min: 1.4,
      last_trade_at: "2026-10-01T12:34:56Z",
    },
  ],
  left_out: { too_few: 13, no_profit: 4, bots: 0 },
  accumulating: [
    {
      chain: "base",
      token: "0xA99Eb91db692e5f6ED731C9BE8DA4bDf9b26707C",
      symbol: "LIQUIDIT",
      net_usd_24h: 11551.27,
      buyers: 4,
      sellers: 3,
      launch_verdict: null,
    },
    {
      chain: "base",
      token: "0xF45Beb6B2CD8b018d29CDa3795f0F21d59B716D7",
      symbol: "OWNERCHA",
      net_usd_24h: 5886.57,
      buyers: 4,
      sellers: 3,
      launch_verdict: null,
    },
  ],
  distributing: [
    {
      chain: "base",
      token: "0xf51BC451422B5e7E2A336e6e491A2E725a7694fD",
      symbol: "HONEYPOT",
      net_usd_24h: -58476.67,
      buyers: 2,
      sellers: 5,
      launch_verdict: null,
    },
  ],
  scope_note:
    "Swaps of 1,000 US dollars and more in the deepest pools, in the blocks that were read. Wallets are not screened.",
  not_advice: true,
};

export const example = { params: { limit: 2 }, as_of: "2026-10-01T12:34:56Z", data };
