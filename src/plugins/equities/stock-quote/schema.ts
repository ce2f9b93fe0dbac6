import { type Static, Type } from "@sinclair/typebox";
import { closed, day, nullable, oneOf, text } from "intel-node";
import { SessionSchema } from "../markets/session.ts";
import { NEIGHBOURS } from "./neighbours.ts";

export const StockQuoteParams = Type.Object(
  {
    symbol: Type.Optional(
      Type.String({
        description: "Ticker of a US share or fund, such as AAPL or BRK.B (BRK-B and BRK/B are understood).",
        default: "AAPL",
        pattern: "^[A-Za-z]{1,6}([.\\-/][A-Za-z]{1,2})?$",
        maxLength: 9,
      }),
    ),
  },
  closed,
);

const usd = (description: string) => Type.Number({ description, exclusiveMinimum: 0, digits: 8 });
const usdOrNull = (description: string, when?: string) =>
  nullable(Type.Number({ exclusiveMinimum: 0, digits: 8 }), description, when);
const bpsOrNull = (description: string, when?: string) => nullable(Type.Number({ decimals: 4 }), description, when);

const PriceBasis = ["mid", "indicative", "oracle", "token_mid", "last"] as const;

const Quote = Type.Object(
  {
    provider: text("Source of the quote."),
    kind: oneOf(["share", "oracle", "token", "vendor"], "What is quoted: the share, a price feed, a token, a vendor."),
    price: usd("Middle of bid and ask, or the price stated, US dollars."),
    bid: usdOrNull("Best bid, US dollars", "where none is stated"),
    ask: usdOrNull("Best ask, US dollars", "where none is stated"),
    age_s: nullable(
      Type.Integer({ minimum: 0, decimals: 0 }),
      "Age when read, seconds; null when the provider states no time.",
    ),
    used: Type.Boolean({ description: "Whether price is made of it." }),
    terms: oneOf(["open", "attribution", "unclear", "restricted"], "What its terms say about selling it on."),
  },
  closed,
);

export const StockQuoteSchema = Type.Object(
  {
    symbol: text("Ticker."),
    name: nullable(Type.String(), "Name in the SEC's list; null when it is not there."),
    exchange: nullable(Type.String(), "Exchange in the SEC's list; null when it is not there."),
    currency: Type.Literal("USD", { description: "Currency of all prices." }),
    price: usd("The price by price_basis, US dollars."),
    price_basis: oneOf(
      PriceBasis,
      "mid: middle of the share's quote; indicative: last stored close, the quote is too wide; oracle: price feed; " +
        "token_mid: middle of a token's book; last: a vendor's last price.",
    ),
    contradicted_by: Type.Array(oneOf(NEIGHBOURS, "A figure beside price."), {
      description:
        "Figures beside price that contradict it: the day's range by more than 10 basis points, another quote of the " +
        "share, the feed or the token by more than 100. Empty when none does; else build nothing on price.",
    }),
    is_proxy: Type.Boolean({ description: "Whether price is that of a token, not of the share." }),
    bid: usdOrNull("Best bid for the share, US dollars; null without a quote."),
    ask: usdOrNull("Best ask for the share, US dollars; null without a quote."),
    spread_bps: bpsOrNull("Ask less bid over their middle, basis points; null without both."),
    day_high: usdOrNull("Highest price of the day, US dollars; null where not stated."),
    day_low: usdOrNull("Lowest price of the day, US dollars; null where not stated."),
    volume: nullable(Type.Number({ minimum: 0 }), "Shares traded today; null where not stated."),
    prev_close: usdOrNull("Close of the session before, US dollars; null when this node has none."),
    change: nullable(Type.Number({ digits: 8 }), "price less prev_close, US dollars; null without it."),
    change_pct: nullable(Type.Number({ decimals: 4 }), "The same, percent of prev_close; null without it."),
    change_basis: nullable(
      oneOf(["node_close", "vendor"], "node_close: stored by this node at the close; vendor: stated by a vendor."),
      "Where prev_close is from; null without it.",
    ),
    range_position: nullable(
      Type.Number({ minimum: 0, maximum: 1, decimals: 8 }),
      "Where price is between day_low (0) and day_high (1); null without a range, or outside it.",
    ),
    halted: nullable(Type.Boolean(), "Whether trading is halted; null when unknown."),
    corporate_action: nullable(
      Type.Object(
        { type: text("Such as cash_dividend or stock_split."), process_date: day("When it is processed.") },
        closed,
      ),
      "The nearest one within 10 days before or after",
      "when there is none",
    ),
    session: SessionSchema,
    oracle_check: nullable(
      Type.Object(
        {
          price: usd("Price of the feed, US dollars."),
          age_s: Type.Integer({ description: "Time since its last update, seconds.", minimum: 0, decimals: 0 }),
          deviation_bps: bpsOrNull("price above the feed's, basis points", "when price is the feed's own"),
        },
        closed,
      ),
      "Chainlink's feed of the share",
      "where there is none",
    ),
    quotes: nullable(Type.Array(Quote), "Everybody who quotes it; withheld in previews."),
  },
  closed,
);

export type StockQuoteData = Static<typeof StockQuoteSchema>;
export type StockQuoteRow = Static<typeof Quote>;
