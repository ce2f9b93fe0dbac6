import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, number, oneOf, share, text, WRITTEN_FIELDS } from "intel-node";
import { SEAT_IDS } from "../seats/seats.ts";

/** The ten coins of this node's signals. */
export const COINS = ["BTC", "ETH", "SOL", "BNB", "XRP", "ADA", "DOGE", "AVAX", "LINK", "LTC"] as const;
export type Coin = (typeof COINS)[number];

const VOTES = ["bullish", "neutral", "bearish"] as const;
const percent = (description: string) =>
  Type.Number({ description: `${description}, percent.`, minimum: 0, maximum: 100, decimals: 2 });

const Verdict = Type.Object(
  {
    verdict: oneOf(VOTES, "bullish from 25 on, bearish from -25 on, else neutral."),
    score: Type.Number({
      description: "Mean of signed confidences by weight.",
      minimum: -100,
      maximum: 100,
      decimals: 2,
    }),
  },
  { ...closed, description: "What the votes by rule make." },
);

const Input = Type.Object(
  { name: text("What the rule reads."), value: nullable(Type.Number({ digits: 8 }), "Null when unknown.") },
  closed,
);

const Seat = Type.Object(
  {
    id: oneOf(SEAT_IDS, "The seat."),
    weight: number("What the seat weighs."),
    rule: nullable(
      Type.Object(
        { vote: oneOf(VOTES, "Its vote."), confidence: percent("How sure the rule is") },
        { ...closed, description: "The vote by rule." },
      ),
      "Null when it abstains, because what it reads is unknown.",
    ),
    inputs: Type.Array(Input, { description: "What its rule read.", maxItems: 6 }),
  },
  closed,
);

export const CouncilParams = Type.Object({ symbol: Type.Optional(oneOf(COINS, "Coin.", "BTC")) }, closed);

export const CouncilSchema = Type.Object(
  {
    symbol: oneOf(COINS, "Coin."),
    verdict: oneOf(VOTES, "The council's."),
    score: Type.Number({ description: "-100 to 100.", minimum: -100, maximum: 100, decimals: 2 }),
    basis: oneOf(["rules"] as const, "Whose votes count: the seats' rules."),
    shares_pct: Type.Object(
      { bullish: percent("Bullish"), neutral: percent("Neutral"), bearish: percent("Bearish") },
      { ...closed, description: "Weight behind each vote." },
    ),
    dispersion: Type.Number({ description: "Spread of signed confidences by weight.", minimum: 0, decimals: 2 }),
    quorum_met: Type.Boolean({ description: "Whether seats with 60 % of the weight voted." }),
    seats: Type.Array(Seat, { description: "Each with what it read.", maxItems: 7 }),
    rule_verdict: Verdict,
    known_share: share("Weight of the seats that voted."),
    ...WRITTEN_FIELDS,
  },
  closed,
);
export type CouncilData = Static<typeof CouncilSchema>;
