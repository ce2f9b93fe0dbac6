import { MODEL_HASH } from "../shared/signals/model.ts";
import type { SinaisData } from "./schema.ts";

const data: SinaisData = {
  model_id: "alpha-v1",
  model_hash: MODEL_HASH,
  chain: { length: 3, head: "f8c602e7a92b37e877c262597b76d15963834c50006279712ac68e3f19542f69" },
  active: [
    {
      seq: 3,
      record_hash: "f8c602e7a92b37e877c262597b76d15963834c50006279712ac68e3f19542f69",
      symbol: "SOL",
      side: "long",
      alpha: 71,
      confidence: 42,
      bar_close_at: "2026-11-01T04:00:00Z",
      emitted_at: "2026-11-01T04:02:03Z",
      ref_price: 150,
      horizon_h: 24,
      expires_at: "2026-11-02T04:02:03Z",
      mark_price: 151.2,
      unrealised_bps: 80,
    },
  ],
  recent_scored: [{ seq: 1, symbol: "BTC", side: "long", confidence: 33, net_bps: 128.4, hit: true }],
  no_signal: [
    { symbol: "XRP", alpha: 54.3 },
    { symbol: "ADA", alpha: 47.9 },
  ],
  next_evaluation_at: "2026-11-02T04:02:00Z",
  record_stats: { n_scored: 1, win_rate: null, warning: "sample_too_small" },
};

export const EXAMPLE = { params: {}, as_of: "2026-11-02T02:00:00Z", data };
