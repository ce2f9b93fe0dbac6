import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, text } from "intel-node";
import { SessionSchema } from "../markets/session.ts";

export const WorldQuoteParams = Type.Object(
  {
    market: Type.Optional(
      Type.String({
        description: "Exchange: its code such as TWSE, LSE or TSE, its MIC, or its Yahoo suffix, in any case.",
        default: "TWSE",
        maxLength: 10,
      }),
    ),
    symbol: Type.Optional(
      Type.String({
        description: "Local symbol such as 2330, SAP, 7203 or VOLV-B; with a Yahoo suffix the market can be left out.",
        default: "2330",
        minLength: 1,
        maxLength: 20,
      }),
    ),
  },
  closed,
);

const local = (description: string) => nullable(Type.Number({ exclusiveMinimum: 0, digits: 8 }), description);

export const WorldQuoteSchema = Type.Object(
  {
    symbol: text("Local symbol in its one form."),
    market: text("Code of the exchange."),
    mic: text("The same by ISO 10383."),
    name: nullable(Type.String(), "Name of the company; null when the source states none."),
    currency: text("ISO 4217, the major unit: pounds, not pence."),
    price: Type.Number({ description: "Last price or close, in currency.", exclusiveMinimum: 0, digits: 8 }),
    price_usd: local("The same in US dollars at fx_rate; null where the ECB has no rate of the currency."),
    fx_rate: local("Units of the currency for one US dollar, ECB reference rates; null where there is none."),
    fx_date: nullable(Type.String(), "Day of that rate, YYYY-MM-DD; null without it."),
    open: local("Opening price; null when not stated."),
    high: local("Highest price of the day; null when not stated."),
    low: local("Lowest price of the day; null when not stated."),
    prev_close: local("Close of the session before; null when not stated."),
    volume: nullable(Type.Number({ minimum: 0 }), "Shares traded; null when not stated."),
    change: nullable(Type.Number({ digits: 8 }), "price less prev_close; null without it."),
    change_pct: nullable(Type.Number({ decimals: 4 }), "The same, percent; null without it."),
    quote_time: text("Time of the price, ISO 8601 UTC; for daily files the close of the session."),
    end_of_day: Type.Boolean({ description: "Whether price is the close of a session, from a file of the whole day." }),
    delay_minutes: nullable(Type.Integer({ minimum: 0 }), "Delay the source states; null when it states none."),
    session: SessionSchema,
    zone: text("IANA time zone of the exchange."),
    holiday_today: Type.Boolean({ description: "Whether today is a weekday without trading there." }),
  },
  closed,
);

export type WorldQuoteData = Static<typeof WorldQuoteSchema>;
