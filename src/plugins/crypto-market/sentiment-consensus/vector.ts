import type { SentimentConsensusData } from "./schema.ts";

const HOUR = "2026-10-02T15:05:00Z";

const data: SentimentConsensusData = {
  rows: [
    {
      scope: "market",
      consensus: 0.25,
      agreement: 0.6,
      verdict: "bullish",
      n_opinions: 5,
      n_sided: 5,
      votes: [
        { source: "fear_greed", value: 0.4, as_of: "2026-10-02T00:00:00Z" },
        { source: "headlines", value: 0.1, as_of: "2026-10-02T15:00:00Z" },
        { source: "gdelt_tone", value: -0.3, as_of: "2026-10-02T15:15:00Z" },
        { source: "funding_skew", value: 0.25, as_of: HOUR },
        { source: "breadth", value: 0.6, as_of: "2026-10-02T00:00:00Z" },
      ],
      dissenters: ["gdelt_tone"],
    },
    {
      scope: "SOL",
      consensus: 0.12,
      agreement: null,
      verdict: "insufficient",
      n_opinions: 1,
      n_sided: 1,
      votes: [{ source: "funding_skew", value: 0.12, as_of: HOUR }],
      dissenters: [],
    },
  ],
  crowding: { flag: "none", fng: 70, funding_apr_pct: 15 },
};

export const vector = { params: {}, as_of: "2026-10-02T15:15:00Z", data };
