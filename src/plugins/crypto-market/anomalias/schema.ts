import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, oneOf } from "intel-node";

export const TYPES = [
  "price_move",
  "volume_spike",
  "range_expansion",
  "decoupling",
  "funding_extreme",
  "funding_divergence",
  "oi_jump",
  "stable_depeg",
  "oracle_split",
  "fee_spike",
] as const;
export type AnomalyType = (typeof TYPES)[number];

const UNITS = ["log_return_pct", "multiple", "pct_of_price", "apr_pct", "log_change_pct", "bps"] as const;
const NOTE_CODES = [
  "return_vs_30d",
  "volume_vs_same_hour",
  "range_vs_30d",
  "residual_vs_btc",
  "funding_high",
  "funding_vs_other_venues",
  "open_interest_vs_30d",
  "off_the_peg",
  "sources_disagree",
  "fee_vs_30d",
] as const;

export const AnomaliasParams = Type.Object(
  {
    threshold: Type.Optional(
      Type.Number({
        description: "Least severity of a line, 0 to 1.",
        default: 0.5,
        minimum: 0,
        maximum: 1,
      }),
    ),
  },
  closed,
);

const Anomaly = Type.Object(
  {
    id: Type.String({ description: "The same while it is the same event: type, symbol, window and start." }),
    type: oneOf(TYPES, "What is odd."),
    symbol: Type.String({ description: "Coin it is about." }),
    severity: Type.Number({ description: "0 to 1.", minimum: 0, maximum: 1, decimals: 4 }),
    direction: nullable(oneOf(["up", "down"], "up or down."), "Which way", "without a direction"),
    value: Type.Number({ description: "The figure, in `unit`.", decimals: 2 }),
    unit: oneOf(
      UNITS,
      "log_return_pct, log_change_pct: 100 x natural logarithm of the change; multiple: of the usual.",
    ),
    baseline: nullable(
      Type.Number({ decimals: 2 }),
      "What it is compared with, same unit: the median of its history, or where the band begins",
      "in previews",
    ),
    rz: nullable(Type.Number({ decimals: 4 }), "Robust standard deviations off the median", "for bands"),
    rarity: nullable(
      Type.Number({ minimum: 0, maximum: 1, decimals: 4 }),
      "Share of its own history that was at least as far off; null without a history.",
    ),
    window_h: Type.Integer({ description: "Hours the figure covers; 0 = a reading of the moment.", minimum: 0 }),
    started_at: Type.String({ description: "Start of that window; of a reading its time." }),
    note_code: oneOf(NOTE_CODES, "How it was measured; the README explains each."),
  },
  closed,
);

export const AnomaliasSchema = Type.Object(
  {
    anomalies: Type.Array(Anomaly, { description: "Most severe first; empty when nothing is odd." }),
    scanned: Type.Object(
      {
        symbols: Type.Integer({ description: "Coins with candles.", minimum: 0 }),
        tests: Type.Integer({ description: "Statistics looked at, bands included.", minimum: 0 }),
        z_tests: Type.Integer({ description: "Those of them that have a robust z.", minimum: 0 }),
        threshold: Type.Number({ description: "Least severity asked for." }),
      },
      { ...closed, description: "What was looked at." },
    ),
    false_alarm_note: Type.Object(
      {
        expected_per_scan: Type.Number({
          description: "Lines with a robust z that chance alone would give if everything were normally distributed.",
          minimum: 0,
          digits: 3,
        }),
        text: Type.String({ description: "What that means." }),
      },
      { ...closed, description: "How many false alarms to expect." },
    ),
    bars_until: Type.String({ description: "Close of the newest hour the candles cover." }),
  },
  closed,
);

export type AnomaliasData = Static<typeof AnomaliasSchema>;
export type AnomalyData = Static<typeof Anomaly>;
