import { type Static, Type } from "@sinclair/typebox";
import { closed } from "intel-node";
import { RecordStats } from "../signals/record-stats.ts";
import { ChainSchema, SIGNAL_ROW } from "../signals/view.ts";

export const SinaisSchema = Type.Object(
  {
    model_id: Type.String({ description: "Model that gives the signals; another formula has another name." }),
    model_hash: Type.String({ description: "SHA-256 of its parameter table." }),
    chain: ChainSchema,
    active: Type.Array(Type.Object(SIGNAL_ROW, closed), {
      description: "Signals within their horizon, newest first, as recorded in the ledger.",
    }),
    recent_scored: Type.Array(
      Type.Object(
        {
          seq: Type.Integer({ minimum: 1, description: "Place in the chain." }),
          symbol: Type.String({ description: "Coin." }),
          side: Type.String({ description: "long or short." }),
          confidence: Type.Integer({ minimum: 0, maximum: 100, description: "As it was given." }),
          net_bps: Type.Number({ description: "Result after costs, basis points." }),
          hit: Type.Boolean({ description: "net_bps above 0." }),
        },
        closed,
      ),
      { maxItems: 18, description: "The last 18 graded signals, newest first." },
    ),
    no_signal: Type.Array(
      Type.Object(
        {
          symbol: Type.String({ description: "Coin." }),
          alpha: Type.Number({ minimum: 0, maximum: 100, description: "Too near to 50 for a signal." }),
        },
        closed,
      ),
      { description: "Coins that the last evaluation found nothing to say of." },
    ),
    next_evaluation_at: Type.String({ description: "When the next signals are due." }),
    record_stats: RecordStats,
  },
  closed,
);

export type SinaisData = Static<typeof SinaisSchema>;
