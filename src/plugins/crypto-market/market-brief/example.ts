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
  signals: { active_n: 3, long_n: 2, short_n: 1 },
};

const data: MarketBriefData = {
  ...pack,
  // Written out: what a module computes, every start waits for. A test says that it follows from the pack.
  brief: [
    "BTC closed the last full hour at 64,013 US dollars, down 1.27 % in a day and up 2.40 % in a week.",
    "ETH closed it at 3,011, up 0.84 % in a day. All coins are worth 2.31 trillion US dollars.",
    "The regime is bull with a score of 0.42, since 2026-11-02.",
    "The share of coins above their average of fifty days is 0.65.",
    "Fear and greed stands at 62, Greed (Crypto Fear & Greed Index by Alternative.me).",
    "Bitcoin's volatility is 41.8 % a year. Funding of Bitcoin's perpetual runs at 8.31 % a year.",
    "SUI gained most, 6.11 %. APT lost most, 4.87 %. Leading sectors: ai, layer1.",
    "Odd just now: volume spike of SUI. A Bitcoin transfer in the next block costs 2.02 satoshi per vB.",
    "This node has 3 active signals.",
  ].join(" "),
  written_by: "template",
  brief_model: null,
  pack_hash: "c113b8c437a72c3eac9eee7a3d6ad40ac412868caa365b4f972e7c322c7be1de",
};

export const example = { params: {}, as_of: "2026-11-21T06:00:00Z", data };
