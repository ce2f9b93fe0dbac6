import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, number, oneOf, pairParam } from "intel-node";
import { ALIASES } from "../oracle/symbol.ts";
import { UNIVERSE_10 } from "../universe/universe.ts";

const BASES = UNIVERSE_10;
export const QUOTES = ["USD", "USDT"] as const;
export type ArbitrageQuote = (typeof QUOTES)[number];

/** Sizes every answer covers, US dollars. */
export const NOTIONALS_USD = [1_000, 10_000, 50_000] as const;
/** The size whose net result decides `executable`. */
export const EXECUTABLE_NOTIONAL_USD = 10_000;

/** Every two of a dozen venues, in both directions, is 132. */
export const CROSSINGS = { max: 200, default: 5 } as const;

export const PAIR = pairParam({
  description: `Base and quote: base ${BASES.join(", ")}, quote USD (meant where none is named) or USDT.`,
  bases: BASES,
  quotes: QUOTES,
  aliases: ALIASES,
  default: "BTC/USD",
});

export const ArbitrageParams = Type.Object(
  {
    pair: Type.Optional(PAIR.schema),
    crossings: Type.Optional(
      Type.Integer({
        description: "Most entries of each matrix, best net first.",
        minimum: 1,
        maximum: CROSSINGS.max,
        default: CROSSINGS.default,
      }),
    ),
  },
  closed,
);

const Positive = Type.Number({ exclusiveMinimum: 0, digits: 8 });
const Bps = (description: string) => number(description, { decimals: 2 });

const Venue = Type.Object(
  {
    venue: Type.String({ description: "Where the book was read." }),
    quote: oneOf(QUOTES, "Currency the venue quotes in; bid and ask are in it."),
    quote_note: nullable(Type.String(), "What that currency really is there", "where its name says it all"),
    bid: nullable(Positive, "Best bid; null when there is no usable book, and in previews."),
    ask: nullable(Positive, "Best ask; null when there is no usable book, and in previews."),
    spread_bps: nullable(Type.Number({ minimum: 0, decimals: 2 }), "Ask above bid, basis points of the middle."),
    age_ms: nullable(
      Type.Integer({ minimum: 0, decimals: 0 }),
      "Age of the book when read; null when the venue states no time, which makes it as new as the call.",
    ),
    taker_bps: Type.Number({ description: "Taker fee counted with, basis points.", minimum: 0 }),
    taker_source: oneOf(
      ["operator", "published", "unconfirmed"],
      "operator: set by this node's operator; published: lowest public tier; unconfirmed: usual figure.",
    ),
    used: Type.Boolean({ description: "Whether the sizes are made of it." }),
    reason: nullable(
      oneOf(["error", "stale", "no_rate"], "error, stale or no_rate."),
      "Why it is not used: error (no usable book), stale (old, or read too far apart from the others), no_rate (no " +
        "USDT/USD rate)",
      "when it is used",
    ),
  },
  closed,
);

const Cell = Type.Object(
  {
    buy: Type.String({ description: "Venue bought on." }),
    sell: Type.String({ description: "Venue sold on." }),
    gross_bps: Bps("Average bid above average ask before costs, basis points."),
    net_bps: Bps("The same after both taker fees and the conversion of quote currencies, basis points."),
  },
  closed,
);

const Best = Type.Object(
  {
    buy_venue: Type.String({ description: "Venue bought on." }),
    sell_venue: Type.String({ description: "Venue sold on." }),
    ask_vwap: Type.Number({
      description: "Average price paid, in the pair's quote currency.",
      exclusiveMinimum: 0,
      digits: 8,
    }),
    bid_vwap: Type.Number({
      description: "Average price got, in the pair's quote currency.",
      exclusiveMinimum: 0,
      digits: 8,
    }),
    gross_bps: Bps("bid_vwap above ask_vwap, basis points."),
    net_bps: Bps("After both taker fees and the conversion of quote currencies, basis points; often below 0."),
    pnl_usd: Type.Number({ description: "What is left of it, US dollars.", decimals: 2 }),
  },
  closed,
);

const Size = Type.Object(
  {
    notional_usd: Type.Integer({ description: "Worth of what is bought, before the fee, US dollars." }),
    best: nullable(Best, "The two venues with the highest net result", "when no two have the depth"),
    matrix: nullable(
      Type.Array(Cell),
      "Two venues each with the depth, in either direction, best net first; withheld in previews.",
    ),
    insufficient_depth: Type.Array(
      Type.Object(
        {
          venue: Type.String({ description: "Venue whose first 100 levels hold less." }),
          side: oneOf(["buy", "sell"], "What could not be done there."),
        },
        closed,
      ),
      { description: "Venues left out of this size." },
    ),
  },
  closed,
);

export const ArbitrageSchema = Type.Object(
  {
    pair: Type.String({ description: "Base and quote." }),
    venues: Type.Array(Venue, { description: "Every venue asked." }),
    sizes: Type.Array(Size, { description: "1,000, 10,000 and 50,000 US dollars." }),
    executable: Type.Boolean({ description: "Whether something is left after costs at 10,000 US dollars." }),
    max_gross_bps: nullable(
      Type.Number({ decimals: 2 }),
      "Highest gross result over all sizes; null when no size has the depth.",
    ),
    usdt_usd: nullable(Positive, "US dollars per USDT used for conversion; null when none was needed or had."),
    assumptions: Type.Array(Type.String(), { description: "What the net result takes for granted." }),
  },
  closed,
);

export type ArbitrageData = Static<typeof ArbitrageSchema>;
export type ArbitrageVenue = Static<typeof Venue>;
export type ArbitrageSize = Static<typeof Size>;
export type ArbitrageCell = Static<typeof Cell>;
