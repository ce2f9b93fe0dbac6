import { type Static, Type } from "@sinclair/typebox";
import { closed, day, nullable, number, oneOf } from "intel-node";

const price = (description: string) => number(`${description}, US dollars.`, { digits: 8 });

export const AnaliseParams = Type.Object(
  {
    symbol: Type.Optional(
      Type.String({
        description:
          "Coin: BTC, ETH, SOL, BNB, XRP, ADA, DOGE, AVAX, LINK or LTC, or another one Hyperliquid lists that has " +
          "250 daily bars. Case, a leading $ and /USD do not matter.",
        default: "BTC",
        minLength: 1,
        maxLength: 20,
      }),
    ),
  },
  closed,
);

export const RULES = [
  "close_above_sma200",
  "sma50_above_sma200",
  "ema12_above_ema26",
  "macd_histogram",
  "rsi14",
  "donchian20_mid",
] as const;
export const BIASES = ["bullish", "bearish", "neutral"] as const;
export const FLAGS = ["overbought", "oversold", "above_upper_band", "below_lower_band"] as const;

const change = (days: number) =>
  nullable(Type.Number({ decimals: 2 }), `Change over ${days} day(s), percent; null without the bars.`);

const Returns = Type.Object(
  { d1: change(1), d7: change(7), d30: change(30), d90: change(90), d365: change(365) },
  { ...closed, description: "Changes of the daily close." },
);

const Trend = Type.Object(
  {
    sma20: price("Mean of the last 20 closes"),
    sma50: price("Mean of the last 50 closes"),
    sma200: price("Mean of the last 200 closes"),
    ema12: price("Exponential average of 12 closes"),
    ema26: price("Exponential average of 26 closes"),
    adx14: number("Wilder's average directional index, 0-100.", { decimals: 2 }),
    plus_di: number("Upward directional indicator, 0-100.", { decimals: 2 }),
    minus_di: number("Downward directional indicator, 0-100.", { decimals: 2 }),
  },
  { ...closed, description: "Averages and direction of the daily closes." },
);

const Momentum = Type.Object(
  {
    rsi14: number("Wilder's relative strength index, 0-100.", { decimals: 2 }),
    macd: price("ema12 - ema26"),
    macd_signal: price("Exponential average of 9 readings of macd"),
    macd_hist: price("macd - macd_signal"),
  },
  { ...closed, description: "Oscillators of the daily closes." },
);

const Volatility = Type.Object(
  {
    atr14: price("Wilder's average true range"),
    atr_pct: number("atr14 of the price, percent.", { decimals: 2 }),
    rv30_pct: number("Realised volatility of 30 days, percent per year.", { decimals: 2 }),
    rv_percentile: nullable(
      Type.Number({ decimals: 2 }),
      "Its percentile rank within a year, percent; null with less than 395 bars.",
    ),
    bb_lower: price("Lower Bollinger band (20, 2)"),
    bb_mid: price("Middle Bollinger band"),
    bb_upper: price("Upper Bollinger band"),
    bb_width_pct: number("Distance of the outer bands, percent of the middle one.", { decimals: 2 }),
  },
  { ...closed, description: "How much the price moves." },
);

const Level = Type.Object(
  {
    price: price("Mean of the pivots of the level"),
    touches: Type.Integer({ description: "Pivots of the level.", minimum: 1 }),
  },
  closed,
);

const Levels = Type.Object(
  {
    supports: Type.Array(Level, { description: "Levels below the price, most touched first.", maxItems: 3 }),
    resistances: Type.Array(Level, { description: "Levels above the price, most touched first.", maxItems: 3 }),
    pivot: price("Floor pivot of the last day: (high + low + close) / 3"),
    r1: price("2 x pivot - low"),
    s1: price("2 x pivot - high"),
  },
  closed,
);

const Range = Type.Object(
  {
    high_365: nullable(Type.Number({ digits: 8 }), "Highest high of 365 days, US dollars; null with fewer bars."),
    low_365: nullable(Type.Number({ digits: 8 }), "Lowest low of 365 days, US dollars; null with fewer bars."),
    from_high_pct: nullable(Type.Number({ decimals: 2 }), "Price against high_365, percent; null with fewer bars."),
  },
  { ...closed, description: "The year's extremes." },
);

const Derivatives = Type.Object(
  {
    funding_apr_pct: Type.Number({ description: "Funding of the perpetual future, percent per year.", decimals: 2 }),
    open_interest_usd: Type.Number({ description: "Open interest in it, US dollars.", minimum: 0, decimals: 0 }),
  },
  closed,
);

const FourHours = Type.Object(
  {
    rsi14: number("Relative strength index of 14 four-hour bars, 0-100.", { decimals: 2 }),
    ema20: price("Exponential average of 20 four-hour closes"),
    ema100: price("Exponential average of 100 four-hour closes"),
    alpha: nullable(Type.Number(), "Score of the model alpha-v1 now, 0-100; null with fewer than 400 bars."),
  },
  closed,
);

const Bias = Type.Object(
  {
    label: oneOf(BIASES, "bullish from 0.4 on, bearish from -0.4 down, else neutral."),
    score: Type.Number({
      description: "Sum of the points / max_points, -1 to 1.",
      minimum: -1,
      maximum: 1,
      decimals: 4,
    }),
    max_points: Type.Integer({ description: "Most points there can be: 8, or 13 when the trend counts twice." }),
    trend_doubled: Type.Boolean({
      description: "Whether adx14 is above 25, so that the first three rules count twice.",
    }),
    points: Type.Array(
      Type.Object(
        {
          rule: oneOf(RULES, "Which rule."),
          value: Type.Number({
            description: "What it looked at: a difference in US dollars, or the index.",
            digits: 8,
          }),
          points: Type.Integer({ description: "Points given, doubled ones included." }),
        },
        closed,
      ),
      { description: "Every rule with its points.", minItems: 6, maxItems: 6 },
    ),
  },
  { ...closed, description: "Points for and against the coin, added up." },
);

export const AnaliseSchema = Type.Object(
  {
    symbol: Type.String({ description: "Coin, such as BTC." }),
    price: Type.Number({ description: "Newest daily close, US dollars.", exclusiveMinimum: 0, digits: 8 }),
    bar_date: day("Day of that close, UTC, YYYY-MM-DD."),
    returns_pct: Returns,
    trend: Trend,
    momentum: Momentum,
    volatility: Volatility,
    levels: nullable(Levels, "Supports, resistances and floor pivots; withheld in previews."),
    range: Range,
    derivatives: nullable(Derivatives, "The coin's perpetual future; null when it cannot be read."),
    timeframe_4h: nullable(FourHours, "The same coin on four-hour bars; null without them."),
    bias: Bias,
    flags: Type.Array(oneOf(FLAGS, `${FLAGS.join(", ")}.`), {
      description: "rsi14 from 70 on or 30 down, or a close outside the bands. Not part of the score.",
      maxItems: 4,
    }),
  },
  closed,
);

export type AnaliseData = Static<typeof AnaliseSchema>;
