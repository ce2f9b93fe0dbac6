import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, share } from "intel-node";
import { doubtField, RecordStats } from "../signals/record-stats.ts";
import { ChainSchema, SIGNAL_ROW } from "../signals/view.ts";

export const SIGNALS = { max: 100, default: 5 } as const;

export const AlphaParams = Type.Object(
  {
    confidence: Type.Optional(
      Type.Integer({
        description: "Least confidence of the signals wanted, 0 to 100.",
        minimum: 0,
        maximum: 100,
        default: 0,
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        description: "Most signals in the answer, the newest ones.",
        minimum: 1,
        maximum: SIGNALS.max,
        default: SIGNALS.default,
      }),
    ),
  },
  closed,
);

const Factor = Type.Object(
  {
    name: Type.String({ description: "Factor of the model." }),
    value: nullable(Type.Number(), "-1 to 1; null when its input was missing and the other weights counted for more."),
    weight: Type.Number({ description: "As the model states it." }),
    contribution: nullable(Type.Number(), "Points of alpha it added to 50."),
  },
  closed,
);

const Risk = Type.Object(
  {
    stop: Type.Number({
      description: "ref_price against the signal by 1.5 average true ranges, US dollars.",
      digits: 8,
    }),
    target: Type.Number({ description: "ref_price with the signal by twice that distance, US dollars.", digits: 8 }),
    size_frac: share("Share of the equity at which reaching the stop costs 1 % of it; at most 1.", { decimals: 4 }),
  },
  closed,
);

const Bucket = Type.Object(
  {
    label: Type.String({ description: "Confidence class: 20-39, 40-59, 60-79 or 80-100." }),
    n: Type.Integer({ minimum: 0, description: "Graded signals of this model in the class." }),
    win_rate: nullable(share("Share of hits.", { decimals: 4 }), "Share of hits; null without any."),
    lo95: nullable(Type.Number({ decimals: 4 }), "Wilson 95 % interval of win_rate, low end."),
    hi95: nullable(Type.Number({ decimals: 4 }), "High end."),
    mean_net_bps: nullable(
      Type.Number({ decimals: 2 }),
      "Mean result after costs, basis points a signal; null without one.",
    ),
    warning: doubtField,
    p_calibrated: share("Chance of a hit, (wins + 10) / (n + 20): 0.5 for a model without a record.", { decimals: 4 }),
  },
  closed,
);

export const AlphaSchema = Type.Object(
  {
    model_id: Type.String({ description: "Model that gives the signals." }),
    chain: ChainSchema,
    signals: Type.Array(
      Type.Object(
        {
          ...SIGNAL_ROW,
          factors: Type.Array(Factor, { description: "Why: every factor of the model." }),
          features_hash: Type.String({ description: "SHA-256 of the factor table; part of the record." }),
          risk: nullable(Risk, "Suggested distances, no part of grading; null without the bars for them."),
          bucket: Type.Object(Bucket.properties, { ...closed, description: "How signals of this class did here." }),
        },
        closed,
      ),
      { description: "Active signals of at least the confidence asked for, newest first." },
    ),
    record_stats: RecordStats,
    filtered_out: Type.Integer({ minimum: 0, description: "Active signals of less confidence." }),
    disclaimer_code: Type.Literal("not_advice", { description: "Figures for information, not advice." }),
  },
  closed,
);

export type AlphaData = Static<typeof AlphaSchema>;
export type RiskData = Static<typeof Risk>;
export type BucketData = Static<typeof Bucket>;
