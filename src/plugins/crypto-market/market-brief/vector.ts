import { readFactRows } from "intel-node";
import type { MarketBriefData, MarketPack } from "./schema.ts";

const pack: MarketPack = {
  prices: [
    { symbol: "BTC", price_usd: 64_012.5, chg_24h_pct: -1.27, chg_7d_pct: 2.4 },
    { symbol: "ETH", price_usd: 3_011.2, chg_24h_pct: 0.84, chg_7d_pct: 3.96 },
  ],
  market: {
    total_cap_usd: 2_306_000_000_000,
    cap_chg_24h_pct: -0.92,
    btc_dominance_pct: 55.1,
    caps_source: "coinmarketcap",
    total_of: "market",
  },
  regime: { regime: "bull", score: 0.42, confidence: 0.6, since: "2026-11-02", days_in_regime: 19 },
  fear_greed: {
    index_id: "alternative_me",
    value: 62,
    classification: "Greed",
    attribution: { text: "Crypto Fear & Greed Index by Alternative.me", url: "https://alternative.me/crypto/" },
  },
  volatility: { btc_rv30_pct: 41.8, percentile: 37.12, dvol: null },
  derivatives: {
    btc_funding_apr_pct: 8.31,
    eth_funding_apr_pct: 6.02,
    sol_funding_apr_pct: -2.15,
    oi_usd: 4_812_000_000,
  },
  breadth: { above_sma50_frac: 0.65, above_sma200_frac: 0.55, n: 20 },
  movers: {
    up: [{ symbol: "SUI", chg_24h_pct: 6.11 }],
    down: [{ symbol: "APT", chg_24h_pct: -4.87 }],
  },
  sectors: { leading: ["ai", "layer1"], lagging: ["gaming"] },
  anomalies_top: [
    { type: "volume_spike", symbol: "SUI", severity: 0.71, direction: "up", value: 4.4, unit: "multiple" },
  ],
  fees: { btc_fastest_sat_vb: 2.023, eth_gwei: 0.812 },
  signals: { active_n: 3, long_n: 2, short_n: 1, record_warning: "sample_too_small" },
};

const data: MarketBriefData = {
  ...pack,
  // Written out: what a module computes, every start waits for. A test says that it follows from the pack.
  brief: [
    "BTC closed the last full hour at $64,012.50, down 1.27% in 24h and up 2.4% in 7d.",
    "ETH closed the last full hour at $3,011.20, up 0.84% in 24h and up 3.96% in 7d.",
    "All coins are worth $2.31 trillion.",
    "The regime is bull with a score of 0.42, since 2026-11-02.",
    "The share of coins above their 50-day average is 0.65.",
    "Fear and greed stands at 62, Greed (Crypto Fear & Greed Index by Alternative.me).",
    "The volatility of BTC over 30 days is 41.8% a year.",
    "Funding of its perpetual runs at 8.31% a year.",
    "SUI gained the most, 6.11%.",
    "APT lost the most, 4.87%.",
    "Leading sectors: ai, layer1.",
    "Odd just now: volume spike of SUI.",
    "A Bitcoin transfer in the next block costs 2.02 satoshi per vB.",
    "This node counts 3 active signals.",
  ].join(" "),
  facts: readFactRows({ from: "/market-brief", as_of: "2026-11-21T06:00:00Z" }, [
    ["BTC_price", "BTC price", 64012.5, "usd", { about: "BTC" }],
    ["BTC_24h", "BTC change, 24h", -1.27, "pct", { kind: "change", about: "BTC", window: "24h" }],
    ["BTC_7d", "BTC change, 7d", 2.4, "pct", { kind: "change", about: "BTC", window: "7d" }],
    ["ETH_price", "ETH price", 3011.2, "usd", { about: "ETH" }],
    ["ETH_24h", "ETH change, 24h", 0.84, "pct", { kind: "change", about: "ETH", window: "24h" }],
    ["ETH_7d", "ETH change, 7d", 3.96, "pct", { kind: "change", about: "ETH", window: "7d" }],
    [
      "gainer",
      "SUI change, 24h, the most of twenty coins",
      6.11,
      "pct",
      { kind: "change", about: "SUI", window: "24h" },
    ],
    [
      "loser",
      "APT change, 24h, the most of twenty coins",
      -4.87,
      "pct",
      { kind: "change", about: "APT", window: "24h" },
    ],
    ["market_cap", "value of all coins", 2306000000000, "usd"],
    ["regime_score", "regime score", 0.42, "number", { from: "/regime" }],
    ["breadth", "coins above their 50-day average", 0.65, "ratio", { from: "/regime" }],
    ["fear_greed", "fear and greed", 62, "index", { from: "/fear-greed" }],
    ["btc_vol", "BTC volatility of 30 days", 41.8, "pct", { about: "BTC", from: "/regime" }],
    ["btc_funding", "BTC funding, percent per year", 8.31, "pct", { kind: "change", about: "BTC" }],
    ["btc_fee", "fee of a Bitcoin transfer, satoshi per vB", 2.023, "number", { from: "/mempool" }],
    ["signals", "active signals", 3, "count", { from: "/sinais" }],
    ["regime_since", "regime, since", 20261102, "day", { from: "/regime", as_of: "2026-11-02" }],
  ]),
  written_by: "template",
  brief_model: null,
  pack_hash: "2d122fe716f6ec27112da2d164a3133f7cebc5648c8a4d91429bf7b27325c758",
};

export const vector = { params: {}, as_of: "2026-11-21T06:00:00Z", data };
