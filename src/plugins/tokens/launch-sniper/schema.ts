import { type Static, Type } from "@sinclair/typebox";
import { TOKEN_CHAINS } from "intel-node/providers/issuer-tokens";
import { FactoryCoverage } from "../launches/factory-watch.ts";
import * as field from "../parameters/token-schema.ts";

const { closed, count, nullable, number, oneOf, text } = field;

export const LaunchSniperParams = Type.Object(
  {
    chain: Type.Optional(oneOf(TOKEN_CHAINS, "Chain of the launches.", "solana")),
    max_age_min: Type.Optional(
      Type.Integer({ description: "Oldest launch, minutes.", minimum: 5, maximum: 1_440, default: 180 }),
    ),
    limit: Type.Optional(field.limitParam(20, 5)),
  },
  closed,
);

const trades = nullable(count("Trades."), "Null where no table says.");

export const LaunchSniperSchema = Type.Object(
  {
    candidates: Type.Array(
      Type.Object(
        {
          token: field.Token,
          source: nullable(
            Type.String(),
            "Source of the launch: a factory of pools, pump_fun or pumpportal; null where this node did not see it.",
          ),
          verdict: field.verdictField,
          risk: field.judgementFields.risk,
          coverage: field.judgementFields.coverage,
          momentum: number("0 to 100.", { decimals: 2 }),
          score: number("Half of 100 - risk, half momentum.", { decimals: 2 }),
          momentum_factors: Type.Array(
            Type.Object(
              {
                name: text("Part of the momentum."),
                value: number("Of the launch.", { digits: 8 }),
                contribution: number("Points.", { decimals: 2 }),
              },
              closed,
            ),
            { description: "Where the momentum comes from." },
          ),
          price_usd: nullable(number("US dollars.", { digits: 8 }), "Null where no pool has a price."),
          liquidity_usd: number("What can be sold into.", { decimals: 2 }),
          volume_h1_usd: number("Last hour.", { decimals: 2 }),
          buys_h1: trades,
          sells_h1: trades,
          age_min: number("Since its launch.", { decimals: 1 }),
          max_size_usd: nullable(
            number("US dollars.", { decimals: 2 }),
            "The purchase that moves the price by 1 %",
            "but for SIZE, and in previews",
          ),
          reasons_not_size: Type.Array(Type.String(), { description: "What keeps it from SIZE." }),
          assessed_at: text("When it was judged."),
        },
        closed,
      ),
      { description: "Best score first; empty when nothing passed." },
    ),
    rejected_counts: Type.Object(
      {
        hard_fail: count("Launches with a hard fail."),
        insufficient_evidence: count("With too little known."),
        risk: count("With too much risk, or two caps."),
        liquidity: count("With less than 10,000 US dollars to sell into."),
        flow_unknown: count("Launches whose trades no source counts."),
      },
      { ...closed, description: "Why the others are not here." },
    ),
    launched: count("Launches this node saw on the chain that are not older than max_age_min."),
    scanned: count("Launches judged within half an hour, not older than max_age_min."),
    coverage: nullable(
      FactoryCoverage,
      "Which factories of the chain were watched over max_age_min",
      "for Solana, where pump.fun's list is watched",
    ),
    ...field.scopeFields,
  },
  closed,
);
export type LaunchSniperData = Static<typeof LaunchSniperSchema>;
