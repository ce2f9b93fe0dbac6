import { type Static, Type } from "@sinclair/typebox";
import { closed, day, nullable, number, oneOf, text } from "intel-node";

const price = (description: string) => number(description, { digits: 8 });
const figure = (description: string) => nullable(Type.Number({ decimals: 4 }), `${description}; null when unknown.`);

export const ForexParams = Type.Object(
  {
    pair: Type.Optional(
      Type.String({
        description:
          "Two currencies, such as EUR/USD, EURUSD, eur-usd or dólar/real; one alone is against the US dollar.",
        default: "EURUSD",
        minLength: 1,
        maxLength: 40,
      }),
    ),
  },
  closed,
);

const QuoteRow = Type.Object(
  {
    provider: text("Source of the quote."),
    mid: price("Middle of bid and ask, quote per base."),
    bid: price("Bid, quote per base; of a cross through the US dollar what both legs give."),
    ask: price("Ask, quote per base; likewise."),
    age_s: nullable(Type.Number({ decimals: 1 }), "Age when read, seconds; null when the venue states no time."),
    used: Type.Boolean({ description: "Whether the rate is made of it." }),
    reject_reason: nullable(Type.String(), "Why not", "when used"),
  },
  closed,
);

export const ForexSchema = Type.Object(
  {
    base: text("Currency that is priced, ISO 4217."),
    quote: text("Currency it is priced in, ISO 4217."),
    rate: price("Median of the live middles, else the on-chain oracle's, else the official rate; quote per 1 base."),
    inverse: price("1 / rate, base per 1 quote."),
    kind: oneOf(["live", "oracle", "official_daily"], "What the rate is made of."),
    rate_of: Type.Array(Type.String(), {
      description: "Sources of the rate: venues, chainlink, or the publisher of the official rate.",
      minItems: 1,
    }),
    bid: nullable(
      Type.Number({ digits: 8 }),
      "Best bid of one venue, the one with the narrowest spread; null without one.",
    ),
    ask: nullable(Type.Number({ digits: 8 }), "Ask of the same venue; null likewise."),
    spread_bps: figure("Their distance, basis points of the middle"),
    quoted_by: nullable(Type.String(), "That venue; null likewise."),
    official: nullable(
      Type.Object(
        {
          rate: price("ECB reference rate or the cross of two, quote per 1 base."),
          date: day("Day it was fixed."),
          read_from: oneOf(["ecb", "frankfurter"], "The ECB itself, or Frankfurter's copy of its rates."),
        },
        closed,
      ),
      "The ECB's euro reference rates, for information only; null when unavailable.",
    ),
    ptax: Type.Optional(
      nullable(
        Type.Object(
          {
            buy: price("Closing PTAX, buy, BRL for one US dollar."),
            sell: price("The same, sell."),
            date: day("Its day."),
            deviation_bps: number("rate above the sell rate turned to this pair, basis points.", { decimals: 4 }),
          },
          closed,
        ),
        "Only of the dollar and the real: the Banco Central do Brasil's closing rate; null when unavailable.",
      ),
    ),
    deviation_from_official_bps: figure("rate above the official one, basis points"),
    dispersion_bps: figure("Highest minus lowest live middle, basis points of their median"),
    change_1d_pct: figure("Official rate against the one before, percent"),
    change_5d_pct: figure("Against 5 fixes before, percent"),
    change_22d_pct: figure("Against 22 fixes before, percent"),
    realised_vol_30d_pct: figure("Sample deviation of the last 30 log returns of the fixes x sqrt(252), percent"),
    pctile_52w: figure("Share of the last 260 fixes that are not above the newest, 0 to 1"),
    market_state: oneOf(["open", "weekend"], "The week of currencies: Sunday to Friday 17:00 in New York."),
    quotes: Type.Array(QuoteRow, { description: "Every live quote that was read." }),
  },
  closed,
);
export type ForexData = Static<typeof ForexSchema>;
