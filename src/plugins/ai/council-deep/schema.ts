import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, text, WRITTEN_FIELDS } from "intel-node";
import { COINS } from "../council/schema.ts";
import { DEEP_SEAT_IDS } from "./seats.ts";

const VOTES = ["bullish", "neutral", "bearish"] as const;
const percent = (description: string) =>
  Type.Number({ description: `${description}, percent.`, minimum: 0, maximum: 100, decimals: 2 });
const score = (description: string) => Type.Number({ description, minimum: -100, maximum: 100, decimals: 2 });
const dispersion = Type.Number({ description: "Spread of signed confidences by weight.", minimum: 0, decimals: 2 });
const seat = oneOf(DEEP_SEAT_IDS, "The seat.");
const vote = oneOf(VOTES, "Its vote.");
const Ids = (description: string) => Type.Array(Type.String(), { description, maxItems: 40 });

const Sentence = Type.Object(
  {
    text: Type.String({ description: "Checked like every block.", maxLength: 2_000 }),
    facts: Ids("Facts it shows."),
    sources: Ids("Texts it quotes."),
  },
  closed,
);

const Opinion = Type.Object(
  {
    kind: Type.Literal("model_opinion", { description: "Whose it is." }),
    vote,
    confidence: percent("How sure it is"),
    reasons: Type.Array(Sentence, { description: "Why.", minItems: 1, maxItems: 3 }),
    against: Type.Object(Sentence.properties, { ...closed, description: "What speaks against it." }),
    change_mind: Type.Object(Sentence.properties, { ...closed, description: "What would change its vote." }),
    provider_id: text("Which configured model."),
    model: text("What its host calls it."),
  },
  closed,
);

const Round = Type.Object(
  {
    round: Type.Integer({ description: "1 or 2.", minimum: 1, maximum: 2 }),
    seats: Type.Array(Type.Object({ seat, vote, confidence: percent("How sure it was") }, closed), {
      description: "Votes of models.",
      maxItems: 7,
    }),
    score: score("Mean of signed confidences by weight."),
    shares_pct: Type.Object(
      { bullish: percent("Bullish"), neutral: percent("Neutral"), bearish: percent("Bearish") },
      { ...closed, description: "Weight behind each vote." },
    ),
    dispersion,
    quorum_met: Type.Boolean({ description: "Whether seats with 60 % of the weight voted." }),
  },
  closed,
);

export const CouncilDeepParams = Type.Object({ symbol: Type.Optional(oneOf(COINS, "Coin.", "BTC")) }, closed);

export const CouncilDeepSchema = Type.Object(
  {
    symbol: oneOf(COINS, "Coin."),
    verdict: oneOf(VOTES, "bullish from 25 on, bearish from -25 on, else neutral."),
    score: score("-100 to 100, of the round that decides."),
    basis: oneOf(["model"] as const, "Whose votes count: the models' in their seats."),
    decided_in: Type.Integer({ description: "Round whose votes decide.", minimum: 1, maximum: 2 }),
    rounds: Type.Array(Round, { description: "The debate.", minItems: 1, maxItems: 2 }),
    changed_votes: Type.Array(
      Type.Object(
        { seat, from: vote, to: vote, reason: Type.String({ description: "In its words.", maxLength: 2_000 }) },
        closed,
      ),
      { description: "Votes, not confidences, that the second round changed.", maxItems: 7 },
    ),
    convergence: nullable(number("Points."), "Dispersion of round 1 less that of round 2; null without a second."),
    seats: Type.Array(
      Type.Object(
        {
          seat,
          weight: number("What the seat weighs."),
          rule: nullable(
            Type.Object({ vote, confidence: percent("How sure the rule is") }, closed),
            "The vote by published rule; null when it abstains because what it reads is unknown.",
          ),
          model: nullable(Opinion, "What its model said last; null when it failed, or the seat abstains."),
        },
        closed,
      ),
      { description: "Rule and model side by side.", minItems: 7, maxItems: 7 },
    ),
    rule_verdict: nullable(
      Type.Object({ verdict: oneOf(VOTES, "By rule."), score: score("By rule.") }, closed),
      "What the votes by rule make; null when no rule could vote.",
    ),
    diversity: count("Different models that spoke."),
    ...WRITTEN_FIELDS,
  },
  closed,
);
export type CouncilDeepData = Static<typeof CouncilDeepSchema>;
