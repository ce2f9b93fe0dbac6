import { type Static, Type } from "@sinclair/typebox";
import * as field from "../parameters/token-schema.ts";

const { closed, count, nullable, number, oneOf, text } = field;

export const SCREENED_CHAINS = ["solana", "ethereum", "base", "bsc", "arbitrum", "polygon"] as const;
const FLAGS = ["thin", "new", "wash_suspect", "one_sided", "symbol_collision", "look_alike"] as const;

export const DexScreenParams = Type.Object(
  {
    query: Type.Optional(
      Type.String({
        description:
          "Symbol, name, pair (A/B), or an address of a token or pool; without it the busiest " +
          "pools of reference tokens.",
        minLength: 1,
        maxLength: 128,
      }),
    ),
    chain: Type.Optional(oneOf(SCREENED_CHAINS, "Pools of this chain only.")),
    limit: Type.Optional(field.limitParam(30, 8)),
    min_liquidity_usd: Type.Optional(
      Type.Number({
        description: "Pools with less are left out; curves have no liquidity and stay in.",
        minimum: 0,
        maximum: 1e12,
        default: 1_000,
      }),
    ),
  },
  closed,
);

const side = (description: string) =>
  Type.Object(
    { address: text("Its identity."), symbol: text("Anybody's text."), name: text("Anybody's text.") },
    { ...closed, description },
  );
const maybe = (description: string, decimals = 2) =>
  nullable(number(description, { decimals }), `${description} Null where the table does not say.`);
const trades = (description: string) =>
  nullable(count(description), `${description} Null where the table does not say.`);

export const DexScreenSchema = Type.Object(
  {
    query: nullable(Type.String(), "As it was understood", "without one"),
    mode: oneOf(
      ["search", "trending"],
      "trending: the busiest pools of wrapped natives and the largest stablecoins, by volume.",
    ),
    count: count("Pools in results."),
    results: Type.Array(
      Type.Object(
        {
          chain: text("Chain."),
          dex: text("Exchange."),
          pair_address: text("Pool."),
          labels: Type.Array(Type.String(), { description: "Such as v3." }),
          base: side("What is priced: the token asked for, where one was."),
          quote: side("What it is priced in."),
          price_usd: nullable(
            number("US dollars.", { digits: 8 }),
            "Of base, US dollars; null where the table does not say.",
          ),
          price_native: nullable(
            number("In quote.", { digits: 8 }),
            "Of base, in quote; null where the table does not say.",
          ),
          liquidity_usd: maybe("Both sides; null on curves."),
          volume_h24_usd: maybe("24 hours."),
          volume_h1_usd: maybe("One hour."),
          change_h1_pct: maybe("Price against an hour ago; of a turned pool unknown."),
          change_h24_pct: maybe("Price against a day ago; of a turned pool unknown."),
          buys_h24: trades("Purchases of base."),
          sells_h24: trades("Sales of base."),
          turnover: maybe("Volume of 24 hours over liquidity.", 4),
          buy_share: maybe("Purchases of all trades.", 4),
          fdv_usd: maybe("All tokens of base's address at this price; of a wrapped coin its wrapped part alone."),
          market_cap_usd: maybe("Circulating ones of them at this price."),
          pair_created_at: nullable(Type.String(), "Null where the table does not say."),
          age_hours: maybe("Since then.", 1),
          flags: Type.Array(
            oneOf(
              FLAGS,
              "thin: below 10,000 US dollars. new: below a day. wash_suspect: turnover above 20, or " +
                "much volume of few trades. one_sided: 20 purchases and no sale. symbol_collision, " +
                "look_alike: another token of that name; never of an issuer's own contract.",
            ),
            { description: "What to be careful of." },
          ),
        },
        closed,
      ),
      { description: "The address asked for first, then by liquidity; without a query by volume." },
    ),
    identity: Type.Object(
      { distinct_tokens: count("Different base tokens in the answer."), note: text("What that means.") },
      { ...closed, description: "Whether one symbol is several tokens." },
    ),
  },
  closed,
);
export type DexScreenData = Static<typeof DexScreenSchema>;
