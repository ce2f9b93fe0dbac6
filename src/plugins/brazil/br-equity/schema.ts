import { type Static, Type } from "@sinclair/typebox";
import { closed, count, day, nullable, number, oneOf, text } from "intel-node";

const FOUR = { decimals: 4 } as const;
const pct = (description: string) =>
  nullable(Type.Number(FOUR), `${description}, percent; null while the history is short.`);
const price = (description: string) => nullable(Type.Number({ digits: 8 }), `${description}; null when unknown.`);
const object = <P extends Parameters<typeof Type.Object>[0]>(properties: P, description: string) =>
  Type.Object(properties, { ...closed, description });

export const EquityParams = Type.Object(
  {
    symbol: Type.Optional(
      Type.String({
        description:
          "Ticker at B3, such as PETR4, BOVA11 or M1TA34 (a .SA at its end is taken off), or IBOV for the index.",
        default: "IBOV",
        minLength: 1,
        maxLength: 20,
      }),
    ),
  },
  closed,
);

const Move = Type.Object(
  { symbol: text("Ticker."), change_pct: number("Change to the day before, percent.", FOUR) },
  closed,
);
const Weight = Type.Object(
  { symbol: text("Ticker."), weight_pct: number("Weight in the index, percent.", FOUR) },
  closed,
);

export const EquitySchema = Type.Object(
  {
    symbol: text("Ticker, or IBOV."),
    isin: nullable(Type.String(), "ISIN", "for the index"),
    kind: oneOf(
      ["share", "unit_or_fund", "bdr", "index"],
      "By the ticker's ending: 11 units, ETFs and funds, 31 to 39 BDRs.",
    ),
    trade_date: day("Day of the close."),
    close: number("Last price of the day, BRL; of the index points.", { digits: 8 }),
    unit: oneOf(["BRL", "points"], "Unit of prices."),
    average: price("Volume-weighted average price of the day"),
    low: price("Lowest price of the day"),
    high: price("Highest price of the day"),
    previous_close: price("Close before it, at today's number of shares"),
    change_pct: nullable(Type.Number(FOUR), "Change to it as B3 states it, percent; null when B3 states none."),
    trades: nullable(Type.Integer(), "Trades of the day", "for the index"),
    volume_shares: nullable(Type.Number({ decimals: 0 }), "Shares traded", "for the index"),
    turnover_brl: nullable(Type.Number({ decimals: 2 }), "Their value, BRL", "for the index"),
    returns: object(
      {
        d5: pct("Over 5 trading days"),
        d21: pct("Over 21"),
        d63: pct("Over 63"),
        d252: pct("Over 252"),
        ytd: pct("Since the last close of the year before"),
      },
      "Price changes.",
    ),
    sma20: price("Mean of 20 closes"),
    sma50: price("Mean of 50 closes"),
    sma200: price("Mean of 200 closes"),
    rsi14: nullable(
      Type.Number(FOUR),
      "Relative strength index of 14 days (Wilder), 0 to 100; null while the history is short.",
    ),
    vol30_pct: pct("Sample deviation of 30 log returns x sqrt(252)"),
    drawdown_pct: pct("Below the highest stored close"),
    high_252d: price("Highest of 252 closes"),
    low_252d: price("Lowest of 252 closes"),
    beta_ibov_252d: nullable(
      Type.Number(FOUR),
      "Slope of log returns on those of the Ibovespa; null below 120 common days.",
    ),
    corr_ibov_252d: nullable(Type.Number(FOUR), "Their correlation; null likewise."),
    index_weight_pct: nullable(Type.Number(FOUR), "Weight in the Ibovespa, percent", "when it is not a member"),
    members: nullable(
      object(
        {
          n: count("Members with a close of that day."),
          advancers: count("Those that rose."),
          decliners: count("Those that fell."),
          breadth_pct: number("Share that rose, percent.", { decimals: 2 }),
          above_sma50_pct: nullable(
            Type.Number({ decimals: 2 }),
            "Share above its mean of 50 closes, percent; null while short.",
          ),
          top_weights: Type.Array(Weight, { description: "The ten largest weights.", maxItems: 10 }),
          best: Type.Array(Move, { description: "The five that rose most.", maxItems: 5 }),
          worst: Type.Array(Move, { description: "The five that fell most.", maxItems: 5 }),
        },
        "Members of the index on that day.",
      ),
      "",
      "but for IBOV",
    ),
    session: object(
      {
        is_trading_day: Type.Boolean({ description: "Whether B3 trades today." }),
        is_open: Type.Boolean({ description: "Whether it trades now." }),
        open_utc: nullable(Type.String(), "Start of today's session, ISO 8601 UTC", "on a day without"),
        close_utc: nullable(Type.String(), "Its end", "likewise"),
      },
      "B3's cash market now, by its calendar.",
    ),
    history_days: count("Stored closes the figures are made of."),
    adjusted_days: count(
      "Days on which B3's own change shows a split or a proceed: earlier closes are adjusted to it.",
    ),
    text: text("The same in a sentence."),
  },
  closed,
);
export type EquityData = Static<typeof EquitySchema>;
