import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, number, oneOf, text } from "intel-node";
import { SYMBOLS } from "./commodities.ts";

const price = (description: string) => number(description, { digits: 8 });
const priceOrNull = (description: string, when?: string) => nullable(Type.Number({ digits: 8 }), description, when);
const figure = (description: string, when?: string) => nullable(Type.Number({ decimals: 4 }), description, when);

export const CommodityParams = Type.Object(
  {
    symbol: Type.Optional(
      Type.String({
        description:
          `One of ${SYMBOLS.join(", ")}; codes such as XAU, CL, NG and ZW, and names such as ouro, petróleo and ` +
          "soja, are read too.",
        default: "gold",
        minLength: 1,
        maxLength: 16,
      }),
    ),
  },
  closed,
);

const QuoteRow = Type.Object(
  {
    provider: text("Source of the quote."),
    kind: oneOf(["dealer", "spot", "oracle", "token"], "Its kind: a token represents an ounce but is not one."),
    mid: price("Its middle or price, in unit."),
    bid: priceOrNull("Its bid", "where it states one price"),
    ask: priceOrNull("Its ask", "likewise"),
    age_s: nullable(Type.Number({ decimals: 1 }), "Age when read, seconds; null when it states no time."),
    used: Type.Boolean({ description: "Whether it is valid." }),
    reject_reason: nullable(Type.String(), "Why not", "when used"),
  },
  closed,
);

export const CommoditySchema = Type.Object(
  {
    symbol: oneOf(SYMBOLS, "Which commodity."),
    name: text("Its name."),
    unit: text("What the price is in, such as USD/troy oz."),
    currency: oneOf(["USD"], "Currency, ISO 4217."),
    price: price("Middle, or the last observation, in unit."),
    price_type: oneOf(
      ["spot_mid", "spot_price", "oracle", "token_proxy", "median", "daily_spot", "monthly_average"],
      "What the price is: a dealer's middle, one stated price, an on-chain feed, a token's middle, the median of " +
        "sources that disagree, the spot price of a day, or the average of a month.",
    ),
    freshness: oneOf(
      ["live", "last_quote", "daily", "monthly"],
      "live: 60 s old at most; last_quote: older, or its source states no time; daily and monthly: an observation of " +
        "a series.",
    ),
    observed_at: text("Time of the observation: ISO 8601, a day, or a month (YYYY-MM)."),
    bid: priceOrNull("Bid of the dealer, in unit", "when the price is not a dealer's"),
    ask: priceOrNull("Ask of the dealer", "likewise"),
    spread_bps: figure("Their distance, basis points of the middle", "likewise"),
    dispersion_bps: figure("Distance of the highest and lowest valid source, basis points of their median."),
    change_pct: figure("Against the previous observation of change_basis, percent; null without one."),
    change_basis: nullable(
      oneOf(["node_fix", "previous_obs"], "node_fix: this node's 17:00 New York; previous_obs: the series itself."),
      "What the changes are against; null without an observation.",
    ),
    change_30d_pct: figure("Against the last observation at or before 30 days earlier; null below 20 observations."),
    pctile_1y: nullable(
      Type.Number({ minimum: 0, maximum: 1, decimals: 4 }),
      "Share of the last 252 observations that are not above the price; null below 20, and for monthly series.",
    ),
    conversions: Type.Array(Type.Object({ unit: text("Unit."), value: price("The price in it.") }, closed), {
      description: "The price in other units of the trade; empty where no other unit is usual.",
    }),
    related: nullable(
      Type.Object(
        {
          name: oneOf(["gold_silver_ratio", "brent_wti_spread"], "What it is."),
          value: price("Ounces of silver for one of gold, or US dollars a barrel of Brent above WTI."),
          observed_at: text("When both were observed."),
        },
        closed,
      ),
      "Gold against silver, or Brent against WTI of the newest day both have; " +
        "null for other commodities, or when unknown.",
    ),
    quotes: Type.Array(QuoteRow, { description: "Every live source that answered; empty for slow series." }),
  },
  closed,
);

export type CommodityData = Static<typeof CommoditySchema>;
