import type { CopytradeData } from "./schema.ts";

const data: CopytradeData = {
  wallet: "0xa36a8a24a043c3b673d205304478339b9b476487",
  chain: "base",
  window: { from: "2026-09-17T12:34:56Z", to: "2026-10-01T12:34:56Z" },
  sampled: {
    trades: 428,
    chains: [
      { chain: "ethereum", pools: 7, blocks_scanned: 25, blocks_expected: 100800 },
      { chain: "base", pools: 9, blocks_scanned: 150, blocks_expected: 604800 },
    ],
  },
  trades_seen: 37,
  performance: {
    realized_pnl_usd: 5979.97,
    matched_cost_usd: 38586.32,
    roi_pct: 15.5,
    copy_pnl_usd: 4732.68,
    copy_roi_pct: 12.27,
    haircut_bps: 150,
    closed: 10,
    wins: 10,
    win_rate: 1,
    win_rate_lower95: 0.7225,
    max_drawdown_usd: 0,
    unmatched_sell_share: 0.6444,
  },
  behaviour: {
    median_hold_min: 1.2,
    fresh_token_share: 0,
    avoid_share: null,
    one_block_share: 0,
    followed_share: 0.2143,
  },
  copyability: null,
  factors: [],
  open_positions: [
    {
      token: "0xF45Beb6B2CD8b018d29CDa3795f0F21d59B716D7",
      symbol: "OWNERCHA",
      qty: 4285107.4,
      cost_usd: 16516.31,
      value_usd: 18852.75,
    },
    {
      token: "0xA95Be582c0c78236187547b642E3de8Fe2396af0",
      symbol: "LANTERN",
      qty: 2589699.5,
      cost_usd: 9994.82,
      value_usd: 11368.71,
    },
  ],
  recent_trades: [
    {
      token: "0x62efbDd6531D2A11B56B49189856D49292ED125F",
      symbol: "TAXRAISE",
      side: "sell",
      qty: 1587130.6,
      usd: 6977.63,
      tx: "0x1ebd50349753ee350d99fbdda36a8a24a043c3b673d205304478339b9b476487",
      block: 95428986,
      before: "2026-10-01T12:34:56Z",
    },
    {
      token: "0xA99Eb91db692e5f6ED731C9BE8DA4bDf9b26707C",
      symbol: "LIQUIDIT",
      side: "sell",
      qty: 1316396.9,
      usd: 5778.94,
      tx: "0x273faae47e45976360b41e16a36a8a24a043c3b673d205304478339b9b476487",
      block: 95428985,
      before: "2026-10-01T12:34:56Z",
    },
  ],
  sanctions: "clear",
  scope_note: "The past of one wallet in a sample of pools: gas, transfers and other venues do not count.",
  not_advice: true,
};

export const example = { params: {}, as_of: "2026-10-01T12:34:56Z", data };
