import type { FearGreedData } from "./schema.ts";

const FIRST_DAY_MS = Date.UTC(2026, 8, 19);
const DAY_MS = 86_400_000;

/** Thirty days that end with the publisher's documented two values. */
const VALUES = [
  ...[71, 62, 58, 55, 54, 52, 49, 47, 44, 46],
  ...[48, 51, 53, 52, 50, 47, 43, 41, 38, 36],
  ...[39, 42, 45, 48, 52, 56, 59, 61, 60, 57],
];

const data: FearGreedData = {
  index_id: "alternative_me",
  value: 71,
  classification: "Greed",
  value_at: "2026-09-19T00:00:00Z",
  next_update_at: "2026-09-20T00:00:00Z",
  change_1d: 9,
  change_7d: 24,
  change_30d: 16,
  percentile_365d: 91.92,
  streak_days: 3,
  history: VALUES.map((value, index) => ({
    date: new Date(FIRST_DAY_MS - index * DAY_MS).toISOString().slice(0, 10),
    value,
  })),
  node_index: {
    value: 65.1,
    components: [
      { name: "momentum", weight: 0.25, value: 72 },
      { name: "volatility", weight: 0.25, value: 65 },
      { name: "breadth", weight: 0.2, value: 65 },
      { name: "drawdown", weight: 0.15, value: 58 },
      { name: "funding", weight: 0.15, value: 61 },
    ],
  },
  attribution: {
    text: "Crypto Fear & Greed Index by Alternative.me",
    url: "https://alternative.me/crypto/fear-and-greed-index/",
  },
};

export const vector = { params: {}, as_of: "2026-09-19T00:00:00Z", data };
