import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, share, text } from "intel-node";
import { ScreenSchema } from "../wallet-scan/schema.ts";

const PARTS = ["age", "activity", "balance", "diversity", "leverage", "payment"] as const;
const BANDS = ["blocked", "very_poor", "poor", "fair", "good", "excellent"] as const;

export const CreditSchema = Type.Object(
  {
    address: text("The wallet; EVM in lower case."),
    score: count("0 to 900: the sum of what is known, after the overrides."),
    score_ceiling: count("What the score could be at most if everything unknown were at its best."),
    coverage: share("Share of the 900 points whose inputs are known.", { decimals: 4 }),
    band: oneOf(BANDS, "By the score: below 300, 450, 600, 750, and from there on."),
    is_provisional: Type.Boolean({ description: "Whether a sanctions list or the oracle could not be asked." }),
    parts: Type.Array(
      Type.Object(
        {
          id: oneOf(PARTS, "What is looked at."),
          points: nullable(number("Points.", { decimals: 1 }), "Null when not known: it adds nothing."),
          max: count("Most it can add."),
          evidence: text("What was seen."),
        },
        closed,
      ),
      { description: "Where the score comes from." },
    ),
    overrides: Type.Array(text("What lowers or caps the sum, and why."), { description: "Applied in this order." }),
    screens: Type.Array(ScreenSchema, { description: "Screens behind the overrides." }),
    scope_note: text("What it is not."),
    not_advice: Type.Literal(true, { description: "No advice." }),
  },
  closed,
);

export type CreditData = Static<typeof CreditSchema>;
export type CreditPart = CreditData["parts"][number];
