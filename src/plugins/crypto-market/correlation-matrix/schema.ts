import { type Static, Type } from "@sinclair/typebox";
import { closed, day, nullable, oneOf, type Rounding } from "intel-node";

type Limits = { readonly minimum: number; readonly maximum: number } & Rounding;

const cells = (limits: Limits) =>
  Type.Array(Type.Array(Type.Union([Type.Number(limits), Type.Null()])), { maxItems: 20 });
const matrix = (what: string, limits: Limits) =>
  nullable(
    cells(limits),
    `${what}; rows and columns in the order of symbols, a row of null where a coin did not move.`,
  );

const CORRELATION = { minimum: -1, maximum: 1, decimals: 4 };
const CHANCE = { minimum: 0, maximum: 1, decimals: 4 };
/** p values span many powers of ten. */
const P_VALUE = { minimum: 0, maximum: 1, digits: 4 };

const Pair = Type.Object(
  {
    a: Type.String({ description: "One coin." }),
    b: Type.String({ description: "The other coin." }),
    pearson: Type.Number({ description: "Their correlation, -1 to 1.", ...CORRELATION }),
  },
  closed,
);

const SignificantPair = Type.Object(
  {
    ...Pair.properties,
    p_holm: Type.Number({ description: "p value adjusted for the number of pairs (Holm), at most 0.05.", ...P_VALUE }),
  },
  closed,
);

const Window = Type.Object(
  {
    days: Type.Integer({ description: "Length, days.", minimum: 1 }),
    from: day("First day, UTC."),
    to: day("Last day, UTC."),
    n: Type.Integer({
      description: "Daily returns per coin in it; fewer than days when a day is missing.",
      minimum: 0,
    }),
    pearson: matrix("Pearson's correlation of daily log returns", CORRELATION),
    pearson_p: matrix("Two-sided p values of pearson", P_VALUE),
    ci_lo: matrix("Lower ends of the 95 % intervals of pearson (Fisher's z)", CORRELATION),
    ci_hi: matrix("Upper ends of the 95 % intervals of pearson (Fisher's z)", CORRELATION),
    spearman: matrix("Spearman's rank correlation (average ranks)", CORRELATION),
    spearman_p: matrix("Two-sided p values of spearman", P_VALUE),
    shrunk: matrix("Correlations of the covariance shrunk by Ledoit and Wolf", CORRELATION),
    shrinkage: nullable(Type.Number(CHANCE), "Share of the shrinkage target in shrunk, 0-1."),
    mean_corr: nullable(Type.Number(CORRELATION), "Mean of pearson off the diagonal."),
    pc1_share: nullable(Type.Number(CHANCE), "Share of the variance that the first principal component explains, 0-1."),
    significant_pairs: nullable(
      Type.Array(SignificantPair),
      "Pairs whose correlation is significant at 5 % after Holm's adjustment for all pairs, strongest first; " +
        "at most 5 without detail=full.",
    ),
  },
  closed,
);

const correlation = (description: string, when?: string) => nullable(Type.Number(CORRELATION), description, when);

const MacroCell = Type.Object(
  {
    a: Type.String({ description: "One instrument." }),
    b: Type.String({ description: "The other one." }),
    n: Type.Integer({
      description: "Returns between days on which both traded, at most 90; a holiday of one is left out of both.",
      minimum: 0,
    }),
    pearson: correlation("Correlation of daily log returns (yields: differences); null with null_reason."),
    low: correlation("Lower end of its 95 % interval (Fisher's z); null without it."),
    high: correlation("Upper end of the same; null without it."),
    spearman: correlation("Spearman's rank correlation; null without pearson."),
    pearson_2d: correlation("Of overlapping returns of two days, for asynchronous pairs", "for others"),
    common_end: nullable(day("Last day that both have."), "Last day that both have; null without one."),
    asynchronous: Type.Boolean({ description: "Observed more than 4 hours apart: daily correlations are too low." }),
    null_reason: nullable(Type.String(), "Why there is no correlation", "when it exists"),
  },
  closed,
);

const PortfolioPart = Type.Object(
  {
    symbol: Type.String({ description: "What is held." }),
    weight_frac: Type.Number({ description: "Share of the whole, 0-1.", ...CHANCE }),
    volatility_pct: Type.Number({ description: "Sample deviation of its log returns, percent per year.", decimals: 2 }),
    risk_frac: Type.Number({
      description: "Share of the variance it carries; below 0 where it lowers it.",
      decimals: 4,
    }),
  },
  closed,
);

export const CorrelationParams = Type.Object(
  {
    symbols: Type.Optional(
      Type.String({
        description:
          "Your own 2 to 12, with commas: coins, shares (AAPL.US, PETR4.SA), currencies (EURUSD), USDX, GOLD, WTI, " +
          "BRENT, NATGAS, UST10Y, NIKKEI.",
        maxLength: 200,
      }),
    ),
    weights: Type.Optional(
      Type.String({ description: "How much of each, in the order of symbols, with commas: 2,1,1.", maxLength: 200 }),
    ),
    format: Type.Optional(Type.Literal("json", { description: "Form of the answer: json.", default: "json" })),
    detail: Type.Optional(
      oneOf(
        ["summary", "full"],
        "summary: only pearson, the 5 strongest pairs of each window, other markets with BTC alone; full: everything.",
        "summary",
      ),
    ),
  },
  closed,
);

export const CorrelationSchema = Type.Object(
  {
    symbols: Type.Array(Type.String(), { description: "Coins, in the order of all rows and columns." }),
    windows: Type.Array(Window, {
      description: "The last 30 and the last 90 days; none for an own list with fewer than two coins.",
      maxItems: 2,
    }),
    change: nullable(
      Type.Array(Type.Array(Type.Union([Type.Number({ minimum: -2, maximum: 2, decimals: 4 }), Type.Null()]))),
      "pearson of the last 30 days less that of the 90 days before them.",
    ),
    beta_to_btc: nullable(
      Type.Record(Type.String(), Type.Union([Type.Number({ decimals: 4 }), Type.Null()])),
      "By coin: slope of its daily log returns over Bitcoin's, 90 days (ordinary least squares).",
    ),
    macro: nullable(
      Type.Array(MacroCell, { maxItems: 100 }),
      "BTC with ETH, currencies, the dollar index, gold (by a token), oil, gas, yields and the Nikkei; with " +
        "detail=full ETH's and those among each other too. Of an own list every pair, where it names another market, " +
        "shares in their own currency. " +
        "Null without their histories, and in previews.",
    ),
    portfolio: nullable(
      Type.Object(
        {
          n: Type.Integer({ description: "Returns it is made of: between the last days that all have.", minimum: 0 }),
          volatility_pct: Type.Number({
            description: "Sample deviation of its log returns, percent per year.",
            decimals: 2,
          }),
          diversification_ratio: Type.Number({
            description: "Mean volatility of the parts, weighted, / its own.",
            decimals: 4,
          }),
          parts: Type.Array(PortfolioPart, { description: "What it is made of, in the order named.", maxItems: 12 }),
        },
        closed,
      ),
      "Risk of your own list with weights",
      "without weights",
    ),
    extremes: nullable(
      Type.Object(
        {
          highest: Type.Array(Pair, { description: "The three most correlated pairs of the last 30 days." }),
          lowest: Type.Array(Pair, { description: "The three least correlated pairs of the last 30 days." }),
        },
        closed,
      ),
      "Pairs of the 30-day window.",
    ),
  },
  closed,
);

export type CorrelationData = Static<typeof CorrelationSchema>;
export type CorrelationWindow = Static<typeof Window>;
