import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, oneOf } from "intel-node";

export const SCOPES = ["market", "BTC", "ETH", "SOL"] as const;
export type Scope = (typeof SCOPES)[number];
export const VERDICTS = ["bullish", "bearish", "neutral", "mixed", "insufficient"] as const;
export type ConsensusVerdict = (typeof VERDICTS)[number];
export const SOURCES = [
  ...(["fear_greed", "headlines", "gdelt_tone", "positioning", "hn", "funding_skew", "breadth"] as const),
] as const;
export type VoteSource = (typeof SOURCES)[number];
const CROWDING = ["crowded_long", "crowded_short", "none"] as const;

const Vote = Type.Object(
  {
    source: oneOf(SOURCES, `${SOURCES.slice(0, -1).join(", ")} or ${SOURCES.at(-1)}.`),
    value: Type.Number({ description: "-1 (bearish) to 1 (bullish).", minimum: -1, maximum: 1, decimals: 4 }),
    as_of: Type.String({ description: "Time of its newest datum, ISO 8601 UTC." }),
  },
  closed,
);

const Row = Type.Object(
  {
    scope: oneOf(SCOPES, "market, BTC, ETH or SOL."),
    consensus: nullable(
      Type.Number({ minimum: -1, maximum: 1, decimals: 4 }),
      "Median vote, -1 to 1; null without votes.",
    ),
    agreement: nullable(
      Type.Number({ minimum: 0, maximum: 1, decimals: 4 }),
      "0-1: how far the `n_sided` votes agree in sign; null with fewer than two of them.",
    ),
    verdict: oneOf(VERDICTS, "bullish, bearish, neutral, mixed (agreement below 0.5) or insufficient (below 3 votes)."),
    n_opinions: Type.Integer({ description: "Votes counted.", minimum: 0 }),
    n_sided: Type.Integer({ description: "Votes of at least 0.1 either way; the others have no side.", minimum: 0 }),
    votes: Type.Array(Vote, { description: "Each source's vote.", maxItems: SOURCES.length }),
    dissenters: Type.Array(Type.String(), {
      description: "Sources whose vote of at least 0.1 has the other sign than most such votes; empty on a tie.",
    }),
  },
  closed,
);

export const SentimentConsensusSchema = Type.Object(
  {
    rows: Type.Array(Row, { description: "One row per scope; the preview has the market's only.", maxItems: 4 }),
    crowding: Type.Object(
      {
        flag: nullable(
          oneOf(CROWDING, "Which side is crowded."),
          "crowded_long: greed of 80 or more with funding of 40 % a year or more; crowded_short: fear of 20 or less " +
            "with funding of -10 % or less. A caution, not a signal. Null without one of the two.",
        ),
        fng: nullable(Type.Integer({ minimum: 0, maximum: 100 }), "The publisher's fear and greed index, points."),
        funding_apr_pct: nullable(
          Type.Number({ decimals: 2 }),
          "Funding of BTC, ETH and SOL weighted by open interest, percent per year.",
        ),
      },
      { ...closed, description: "Whether fear or greed and leverage lean to the same side, far." },
    ),
  },
  closed,
);

export type SentimentConsensusData = Static<typeof SentimentConsensusSchema>;
export type ConsensusRow = Static<typeof Row>;
