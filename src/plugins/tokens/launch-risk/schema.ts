import { type Static, Type } from "@sinclair/typebox";
import { FactoryCoverage } from "../launches/factory-watch.ts";
import * as field from "../parameters/token-schema.ts";

const { closed, nullable, number, oneOf, text } = field;

export const LaunchRiskParams = Type.Object(
  {
    mint: Type.Optional(
      field.tokenParam("One token instead of the newest launches: a mint of Solana or an EVM address."),
    ),
    chain: Type.Optional(field.chainParam("solana")),
    limit: Type.Optional(field.limitParam(20, 5)),
  },
  closed,
);

export const LaunchItem = Type.Object(
  {
    token: field.Token,
    created_at: nullable(Type.String(), "When it was launched; null when no source states it."),
    venue: nullable(
      oneOf(["curve", "amm"], "Where it trades."),
      "A launchpad's curve or pools; null where neither is known.",
    ),
    source: nullable(
      Type.String(),
      "Source of the launch: a factory of pools, pump_fun or pumpportal; null where this node did not see it.",
    ),
    verdict: field.verdictField,
    basis: field.basisField,
    max_size_usd: nullable(
      number("Purchase that moves the price by 1 %, US dollars.", { decimals: 2 }),
      "Moves the price by 1 %, at most 2 % of the last hour's volume",
      "but for SIZE, and in previews",
    ),
    ...field.judgementFields,
    assessed_at: text("When it was judged."),
  },
  closed,
);
export type LaunchItemData = Static<typeof LaunchItem>;

const part = (what: string) => nullable(field.share(what, { decimals: 4 }), `${what} Null when none was judged.`);

export const LaunchRiskSchema = Type.Object(
  {
    mode: oneOf(["single", "list"], "One token, or the newest launches."),
    items: Type.Array(LaunchItem, { description: "Newest launch first; factors without points are left out." }),
    base_rates: Type.Object(
      {
        avoid_share_24h: part("Part of the tokens judged in the last 24 hours whose newest verdict is AVOID."),
        watch_share_24h: part("The same of WATCH."),
        size_share_24h: part("The same of SIZE."),
        n: field.count("Tokens judged in the last 24 hours, at most 2,000."),
      },
      { ...closed, description: "How often each verdict is given." },
    ),
    launches_24h: nullable(
      field.count("Launches."),
      "Launches of the last 24 hours this node saw on the chain, judged or not",
      "for one token",
    ),
    coverage: nullable(
      FactoryCoverage,
      "Which factories of the chain were watched in the last 24 hours",
      "for Solana (pump.fun) and for one token",
    ),
    method: Type.Literal("LR-1", { description: "The way it is judged." }),
    ...field.scopeFields,
  },
  closed,
);
export type LaunchRiskData = Static<typeof LaunchRiskSchema>;
