import type { AnomaliasData } from "./schema.ts";

const data: AnomaliasData = {
  anomalies: [
    {
      id: "price_move:BTC:1h:2026-10-01T11:00:00Z",
      type: "price_move",
      symbol: "BTC",
      severity: 0.713,
      direction: "up",
      value: 3,
      unit: "log_return_pct",
      baseline: 0,
      rz: 6.7449,
      rarity: 0,
      window_h: 1,
      started_at: "2026-10-01T11:00:00Z",
      note_code: "return_vs_30d",
    },
    {
      id: "price_move:BTC:24h:2026-09-30T12:00:00Z",
      type: "price_move",
      symbol: "BTC",
      severity: 0.6666,
      direction: "up",
      value: 2.8,
      unit: "log_return_pct",
      baseline: 0,
      rz: 6.2952,
      rarity: 0,
      window_h: 24,
      started_at: "2026-09-30T12:00:00Z",
      note_code: "return_vs_30d",
    },
  ],
  scanned: { symbols: 20, tests: 99, z_tests: 99, threshold: 0.5 },
  false_alarm_note: {
    expected_per_scan: 0.0000299,
    text:
      "Lines with a robust z to expect from chance alone if every statistic were normally distributed. Prices have " +
      "fatter tails, so there are more: rarity says how often each one's own history was as far off.",
  },
  bars_until: "2026-10-01T12:00:00Z",
};

/** The published example; compute.test.ts shows that the rules give exactly this. */
export const vector = { params: { threshold: 0.5 }, as_of: "2026-10-01T12:00:00Z", data };
