import type { AlphaData } from "./schema.ts";

const HEAD = "f8c602e7a92b37e877c262597b76d15963834c50006279712ac68e3f19542f69";

const data: AlphaData = {
  model_id: "alpha-v1",
  chain: { length: 3, head: HEAD },
  signals: [
    {
      seq: 3,
      record_hash: HEAD,
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
      factors: [
        { name: "mom_7d", value: 0.612, weight: 0.2, contribution: 6.8 },
        { name: "regime", value: null, weight: 0.1, contribution: null },
      ],
      features_hash: "d".repeat(64),
      risk: { stop: 145.5, target: 159, size_frac: 0.3333 },
      bucket: {
        label: "40-59",
        n: 45,
        win_rate: 0.6,
        lo95: 0.4545,
        hi95: 0.7298,
        mean_net_bps: 21.4,
        p_calibrated: 0.5692,
      },
    },
  ],
  filtered_out: 2,
  disclaimer_code: "not_advice",
};

export const EXAMPLE = { params: { confidence: 40 }, as_of: "2026-11-01T06:00:00Z", data };
