import { type Static, Type } from "@sinclair/typebox";
import * as field from "../parameters/token-schema.ts";

const { closed, nullable, number, oneOf, text } = field;

export const HolderConcentrationParams = Type.Object(
  {
    token: Type.Optional(
      field.tokenParam("A mint of Solana or an EVM address; without it the newest launch this node saw."),
    ),
    chain: Type.Optional(field.chainParam()),
  },
  closed,
);

const pct = (description: string) =>
  nullable(number(description, { decimals: 4 }), `${description} Null where too few are known.`);

export const HolderConcentrationSchema = Type.Object(
  {
    token: field.Token,
    supply: nullable(Type.String(), "In the smallest unit, as the chain says; null where it did not answer."),
    holders_count: nullable(field.count("Holders."), "As RugCheck or GoPlus count them; null where neither does."),
    top1_pct: pct("Largest holder, percent of the whole supply; pools, burns and lockers left out."),
    top5_pct: pct("Five largest together."),
    top10_pct: pct("Ten largest together."),
    top10_min_pct: number("What the ten largest have at least; top10_pct where ten are listed.", { decimals: 4 }),
    top10_max_pct: number("Their upper bound: an unlisted holder has no more than the smallest listed one.", {
      decimals: 4,
    }),
    hhi_lower: number("Herfindahl index of the known holders, 0 to 10,000: the whole is not lower.", { decimals: 2 }),
    hhi_upper: number("The same if what is not seen were as concentrated as it can be: the whole is not higher.", {
      decimals: 2,
    }),
    effective_holders_min: number("10,000 / hhi_upper.", { decimals: 2 }),
    effective_holders_max: nullable(
      number("10,000 / hhi_lower.", { decimals: 2 }),
      "10,000 / hhi_lower; null where no holder is known.",
    ),
    nakamoto_33: nullable(
      field.count("Holders."),
      "Fewest that have more than a third together; null where the known ones do not.",
    ),
    gini_known: nullable(
      field.share("Gini coefficient of the known holders.", { decimals: 4 }),
      "Gini coefficient of the known holders; null where they hold nothing.",
    ),
    rows: Type.Array(
      Type.Object(
        {
          owner: text("Holder."),
          account: nullable(Type.String(), "His token account on Solana", "on other chains"),
          pct: number("Percent of supply.", { decimals: 4 }),
          is_insider: nullable(Type.Boolean(), "RugCheck connects him with others; null where it does not say."),
        },
        closed,
      ),
      { description: "The 20 largest, largest first." },
    ),
    excluded: Type.Array(
      Type.Object(
        {
          address: text("Who."),
          pct: number("Percent of supply.", { decimals: 4 }),
          reason: oneOf(["pool", "burn", "locker"], "Why."),
        },
        closed,
      ),
      { description: "Left out of all figures, at most 10." },
    ),
    insider_pct: pct("What RugCheck's insiders hold."),
    creator_pct: pct("What the creator holds."),
    band: oneOf(
      ["low", "moderate", "high", "critical", "unknown"],
      "By top10_pct, or top10_max_pct where that is null: 20, 35 and 50; one holder of 20 lifts it to high.",
    ),
    source: text("Whose list this is."),
    source_depth: field.count("Holders it names."),
    ...field.scopeFields,
  },
  closed,
);
export type HolderConcentrationData = Static<typeof HolderConcentrationSchema>;
