import { type Static, Type } from "@sinclair/typebox";
import { METHODS } from "../markets/resolve.ts";
import * as field from "../parameters/token-schema.ts";

const { closed, count, nullable, number, oneOf, text } = field;

export const TokenIntelParams = Type.Object(
  {
    token: Type.Optional(
      Type.String({ description: "An address, or a ticker; without it wrapped SOL.", minLength: 1, maxLength: 64 }),
    ),
    chain: Type.Optional(field.chainParam()),
  },
  closed,
);

const usd = (description: string) =>
  nullable(number(description, { decimals: 2 }), `${description} Null where no table says.`);
const pct = (description: string) =>
  nullable(number(description, { decimals: 4 }), `${description} Null when no source states it.`);
const price = nullable(
  number("US dollars.", { digits: 8 }),
  "US dollars, weighted by liquidity; null where no pool has a price.",
);

export const ResolutionField = Type.Object(
  {
    method: oneOf(METHODS, "How the text became a token."),
    candidates: count("Tokens of that symbol on the chains asked."),
    runner_up_liquidity_ratio: nullable(
      number("Ratio.", { decimals: 4 }),
      "Liquidity of the second deepest against this one",
      "where there is none",
    ),
    is_ambiguous: Type.Boolean({ description: "The second is at least half as deep: name the address." }),
  },
  { ...closed, description: "How the text became a token." },
);

export const MarketsField = Type.Object(
  {
    price_usd: price,
    liquidity_usd: usd("Of all its pools together."),
    volume_h24_usd: usd("Of all its pools together."),
    pools: count("Pools of the chain in which it is the base."),
    price_dispersion_pct: pct("Highest over lowest price of pools of 10,000 US dollars and more."),
    change_h1_pct: pct("Of the deepest pool."),
    change_h24_pct: pct("Of the deepest pool."),
    top_pools: Type.Array(
      Type.Object(
        {
          dex: text("Exchange."),
          pair_address: text("Pool."),
          price_usd: price,
          liquidity_usd: usd("Both sides."),
          volume_h24_usd: usd("24 hours."),
        },
        closed,
      ),
      { description: "The three deepest." },
    ),
  },
  { ...closed, description: "Where it trades." },
);

export const TokenIntelSchema = Type.Object(
  {
    token: field.Token,
    resolution: ResolutionField,
    markets: MarketsField,
    valuation: Type.Object(
      {
        fdv_usd: usd("All tokens of this address at the price of the deepest pool, as DEX Screener says."),
        market_cap_usd: usd("Circulating tokens of this address alone, as DEX Screener says."),
        wraps: nullable(
          Type.String(),
          "Coin it represents, such as SOL: then both values are of the wrapped part on this chain, not of the coin.",
          "for any other token",
        ),
        fdv_to_liquidity: nullable(
          number("Ratio.", { decimals: 2 }),
          "How much is said to be worth against what can be sold into; null where one is unknown.",
        ),
      },
      { ...closed, description: "What it is said to be worth." },
    ),
    holders: Type.Object(
      {
        top1_pct: pct("Largest holder without pools."),
        top10_pct: pct("Ten largest."),
        insider_pct: pct("RugCheck's insiders."),
        creator_pct: pct("Creator."),
      },
      { ...closed, description: "Its holders; /holder-concentration has the list." },
    ),
    safety: Type.Object(
      {
        risk: field.judgementFields.risk,
        coverage: field.judgementFields.coverage,
        hard_fails: Type.Array(Type.String(), { description: "Rules of LR-1; /launch-risk has the evidence." }),
        caps: Type.Array(Type.String(), { description: "What speaks against it without being a hard fail." }),
        unknown: field.judgementFields.unknown,
      },
      { ...closed, description: "LR-1 without its verdict." },
    ),
    identity: Type.Object(
      {
        is_issuer: Type.Boolean({ description: "Its issuer is known by the address." }),
        verified: nullable(Type.Boolean(), "On GoPlus' list of trusted tokens; null where it does not say."),
        has_link: nullable(Type.Boolean(), "A website or profile is listed; null where it is in no table."),
        paid_promotion: nullable(
          Type.Boolean(),
          "Somebody pays for its place on DEX Screener; null where it is in no table.",
        ),
      },
      { ...closed, description: "The people behind it. Links are adverts, not evidence." },
    ),
    flows: Type.Object(
      {
        buys_h1: nullable(count("Trades."), "Null where no table says."),
        sells_h1: nullable(count("Trades."), "Null where no table says."),
        buy_share_h24: nullable(
          field.share("Share.", { decimals: 4 }),
          "Share of purchases in all trades; null without trades.",
        ),
        smart_money_net_24h_usd: nullable(
          number("US dollars.", { decimals: 2 }),
          "Purchases less sales of /smart-money's wallets; null where the token is not in its pools.",
        ),
      },
      { ...closed, description: "Where it is moving." },
    ),
    sections_missing: Type.Array(Type.String(), { description: "Parts without data from any source." }),
    ...field.scopeFields,
  },
  closed,
);
export type TokenIntelData = Static<typeof TokenIntelSchema>;
