import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, number, oneOf, text } from "intel-node";

const BPS = { decimals: 4 } as const;
const price = (description: string) => number(description, { digits: 8 });

const Leg = Type.Object(
  {
    pair: text("Pair that is traded."),
    side: oneOf(["sell", "buy"], "sell: its base at the bid; buy: its base at the ask."),
    price: nullable(Type.Number({ digits: 8 }), "Bid or ask", "in previews"),
    size: nullable(Type.Number(), "What is quoted at it, in base; null when the venue does not say."),
  },
  closed,
);
const Loop = Type.Object(
  {
    path: Type.Array(Type.String(), {
      description: "Currencies in order; the last is the first.",
      minItems: 4,
      maxItems: 4,
    }),
    provider: text("The one venue all three prices are of."),
    gross_bps: number("What the loop leaves before costs, basis points.", BPS),
    net_bps: number("After the stated cost of each leg, basis points.", BPS),
    legs: Type.Array(Leg, { description: "The three conversions in order.", minItems: 3, maxItems: 3 }),
    max_size: nullable(
      Type.Number({ digits: 8 }),
      "Largest amount the quoted sizes take, in `max_size_ccy`; null without sizes.",
    ),
    max_size_ccy: text("The first currency of the path."),
    age_s: nullable(
      Type.Number({ decimals: 1 }),
      "Age of the oldest leg, seconds; null when the venue states no time.",
    ),
    is_stale: Type.Boolean({ description: "Whether a leg is older than 60 s, or legs lie more than 5 s apart." }),
    executable_confidence: oneOf(
      ["none", "low", "medium"],
      "none: the market is closed, or prices are old; low: an indicative feed; medium: an order book's best prices.",
    ),
  },
  closed,
);
const Synthetic = Type.Object(
  {
    pair: text("Pair that is quoted, and made of two others."),
    provider: text("Venue of all three."),
    bid: price("Its own bid."),
    ask: price("Its own ask."),
    synthetic_bid: price("Bid made of the two legs to the dollar."),
    synthetic_ask: price("Ask made of them."),
    mid_deviation_bps: number("Own middle above the quotient of the legs' middles, basis points.", BPS),
  },
  closed,
);
const Crossed = Type.Object(
  {
    pair: text("Pair."),
    buy_at: text("Venue with the lower ask."),
    sell_at: text("Venue with the higher bid."),
    edge_bps: number("That bid above that ask, basis points. Needs funds at both venues.", BPS),
    net_bps: number("The same after the cost of both conversions.", BPS),
    apart_s: Type.Number({
      description: "Seconds between the two quotes; one without a time is as new as the call.",
      minimum: 0,
      decimals: 3,
    }),
    not_executable: nullable(
      oneOf(
        ["market_closed", "apart", "costs", "indicative"],
        "market_closed: the week is over; apart: more than 5 s between the quotes; costs: net_bps below min_net_bps; " +
          "indicative: no one has to deal at one of the prices.",
      ),
      "Why it is impossible to deal at both; null without a known obstacle.",
    ),
  },
  closed,
);

export const ArbitrageSchema = Type.Object(
  {
    market_state: oneOf(["open", "weekend"], "The week of currencies: Sunday to Friday 17:00 in New York."),
    fee_bps_per_leg: number("Cost of each conversion that is counted with, basis points."),
    min_net_bps: number("From which net result on a loop is called an opportunity, basis points."),
    loops_checked: count("Loops of three currencies, both ways round, at each venue."),
    opportunities: Type.Array(Loop, {
      description: "Fresh loops at or above min_net_bps; none while the market is closed.",
    }),
    best_loop: nullable(Loop, "The loop with the best net result, below zero too; null without a fresh one."),
    synthetic_crosses: Type.Array(Synthetic, { description: "Quoted crosses against the same made of two legs." }),
    cross_venue: Type.Array(Crossed, { description: "Pairs that one venue buys dearer than another sells." }),
    verdict: oneOf(
      ["none", "watch", "opportunity", "not_executable"],
      "not_executable: the market is closed, or every quote is old.",
    ),
  },
  closed,
);
export type ForexArbitrageData = Static<typeof ArbitrageSchema>;
