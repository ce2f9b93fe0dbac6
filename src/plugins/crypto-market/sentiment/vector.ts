import type { SentimentData } from "./schema.ts";

const data: SentimentData = {
  symbol: "BTC",
  score: 12.3,
  label: "neutral",
  confidence: 0.15,
  components: [
    { name: "headlines", value: 14.45, raw: 0.1445, weight: 0.4, n: 3, as_of: "2026-10-02T15:00:00Z" },
    { name: "gdelt_tone", value: -10, raw: -0.5, weight: 0.2, n: 91, as_of: "2026-10-02T15:15:00Z" },
    { name: "positioning", value: 18.95, raw: 10.95, weight: 0.25, n: 2, as_of: "2026-10-02T15:05:00Z" },
    { name: "hn", value: 25, raw: 0.25, weight: 0.15, n: 9, as_of: "2026-10-02T11:42:07Z" },
  ],
  positioning: { funding_apr_pct: 10.95, open_interest_usd: 2_398_000_000, open_interest_change_24h_pct: 3 },
  change_24h: -4.1,
  top_positive: [
    {
      title: "Bitcoin surges to record as ETF inflows return",
      url: "https://news.example/bitcoin-surges",
      source: "CoinDesk",
      published_at: "2026-10-02T14:00:00Z",
      score: 0.8126,
    },
  ],
  top_negative: [
    {
      title: "Exchange hacked, token plunges sharply amid liquidations",
      url: "https://news.example/exchange-hacked",
      source: "Decrypt",
      published_at: "2026-10-02T02:00:00Z",
      score: -0.8854,
    },
  ],
  lexicon_version: "2026-11-2",
  window_h: 48,
};

export const vector = { params: { symbol: "BTC" }, as_of: "2026-10-02T15:15:00Z", data };
