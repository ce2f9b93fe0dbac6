import { type Static, Type } from "@sinclair/typebox";
import { closed, count, day, nullable, number, share } from "intel-node";
import { UNIVERSE_20 } from "../universe/universe.ts";
import { STRATEGY_IDS } from "./strategies.ts";

const ratio = (description: string, when?: string) => nullable(Type.Number({ decimals: 4 }), description, when);
const date = (description: string) => day(`${description}, UTC, YYYY-MM-DD.`);

export const DAYS = { min: 90, max: 3_000, default: 730 } as const;
export const CURVE_POINTS = { max: 365, default: 60 } as const;
export const TRADES = { max: 50, default: 10 } as const;

export const BacktestParams = Type.Object(
  {
    strategy: Type.Union(
      STRATEGY_IDS.map((id) => Type.Literal(id)),
      { description: "The rule to test.", default: "price_sma_200" },
    ),
    symbol: Type.Optional(
      Type.Union(
        UNIVERSE_20.map((symbol) => Type.Literal(symbol)),
        { description: "The coin it trades; dual_momentum_btc_eth has its own two.", default: "BTC" },
      ),
    ),
    days: Type.Integer({
      description: "Days that count; what the rule needs before them is read besides.",
      minimum: DAYS.min,
      maximum: DAYS.max,
      default: DAYS.default,
    }),
    points: Type.Optional(
      Type.Integer({
        description: "Most points of equity_curve.",
        minimum: 2,
        maximum: CURVE_POINTS.max,
        default: CURVE_POINTS.default,
      }),
    ),
    trades: Type.Optional(
      Type.Integer({
        description: "Most closed round trips in trades_list, the newest ones.",
        minimum: 0,
        maximum: TRADES.max,
        default: TRADES.default,
      }),
    ),
  },
  closed,
);

const Metrics = Type.Object(
  {
    final_equity_usd: number("Equity at the last close, of 10,000 USD at the start.", { decimals: 2 }),
    total_return_pct: number("Return over all days, percent.", { decimals: 2 }),
    cagr_pct: number("Return per year of 365 days, percent.", { decimals: 2 }),
    volatility_pct: number("Sample standard deviation of daily returns, percent per year.", { decimals: 2 }),
    sharpe: ratio("Mean / deviation of daily returns, per year, riskless rate 0; null if nothing moved."),
    sortino: ratio("The same over the deviation of losses alone", "without a loss"),
    max_drawdown_pct: number("Deepest fall from a peak, the start included, percent, at most 0.", { decimals: 2 }),
    max_drawdown_from: nullable(date("Day of the peak"), "Day of the peak", "if the start itself, or without a fall"),
    max_drawdown_to: nullable(date("Day of the trough"), "Day of the trough", "without a fall"),
    calmar: ratio("Return per year / deepest fall", "without a fall"),
    exposure_frac: share("Share of closes at which something is held, 0-1.", { decimals: 4 }),
    trades: count("Closed round trips."),
    win_rate_frac: nullable(
      Type.Number({ minimum: 0, maximum: 1, decimals: 4 }),
      "Share of them with a profit, 0-1",
      "if none",
    ),
    profit_factor: ratio("Their profits / their losses", "without a loss"),
    turnover: number("All that was bought and sold / mean equity, times.", { decimals: 2 }),
    fees_paid_usd: number("Fees, slippage not included, USD.", { decimals: 2 }),
    psr: nullable(
      Type.Number({ minimum: 0, maximum: 1, decimals: 4 }),
      "Probability that the true Sharpe ratio is above 0, 0-1",
      "where it is not defined",
    ),
  },
  { ...closed, description: "The rule's figures over the days that count." },
);

const CurvePoint = Type.Object(
  {
    date: date("Day of the close"),
    equity: number("Equity, USD.", { decimals: 2 }),
    benchmark: number("Equity of buy and hold, USD.", { decimals: 2 }),
    weight: share("Share held in the asset, 0-1.", { decimals: 4 }),
  },
  closed,
);

const symbol = Type.String({ description: "What was held." });
const entry_at = Type.String({ description: "Open at which it began, ISO 8601 UTC." });
const entry_price = number("Mean price paid, slippage included, USD.", { digits: 8 });
const bars = count("Days it was held, days.");

const ClosedTrade = Type.Object(
  {
    symbol,
    entry_at,
    exit_at: Type.String({ description: "Open at which it ended, ISO 8601 UTC." }),
    entry_price,
    exit_price: number("Mean price received, slippage included, USD.", { digits: 8 }),
    return_pct: number("Profit over all that was paid, costs included, percent.", { decimals: 2 }),
    bars,
  },
  closed,
);

const OpenTrade = Type.Object(
  {
    symbol,
    entry_at,
    entry_price,
    return_pct: number("What it would bring at the last close, before the costs of selling, percent.", { decimals: 2 }),
    bars,
  },
  closed,
);

export const BacktestSchema = Type.Object(
  {
    strategy: Type.String({ description: "The rule tested." }),
    symbol: Type.String({ description: "The coin that is held without a rule, and that a rule of one coin trades." }),
    rule: Type.String({ description: "What it does. Decided at a close, traded at the next open." }),
    days: Type.Integer({ description: "Days that count; fewer than asked for if history is short.", minimum: 1 }),
    from: date("First day that counts"),
    to: date("Last day"),
    metrics: Metrics,
    benchmark: Type.Object(Metrics.properties, {
      ...closed,
      description: "Buy and hold of symbol, same days and costs.",
    }),
    excess_return_pct: number("total_return_pct less the benchmark's, percentage points.", { decimals: 2 }),
    equity_curve: nullable(
      Type.Array(CurvePoint, { maxItems: CURVE_POINTS.max }),
      "Equity at closes, oldest first, thinned evenly.",
    ),
    trades_list: nullable(
      Type.Array(ClosedTrade, { maxItems: TRADES.max }),
      "The last closed round trips, oldest first.",
    ),
    open_trade: nullable(OpenTrade, "What is held at the end", "if nothing"),
    costs: Type.Object(
      {
        fee_bps: number("Per side, basis points."),
        slippage_bps: number("Per side, basis points."),
      },
      { ...closed, description: "Paid on every buy and every sale." },
    ),
    price_source: Type.String({ description: "Provider of the bars." }),
    rules_tried: Type.Integer({ description: "How many rules this product offers, count.", minimum: 1 }),
    note: Type.String({ description: "What the figures do not show." }),
    no_lookahead: Type.Literal(true, { description: "No decision uses anything after the close it is taken at." }),
  },
  closed,
);

export type BacktestData = Static<typeof BacktestSchema>;
export type EquityCurvePoint = Static<typeof CurvePoint>;
export type ClosedTrade = Static<typeof ClosedTrade>;
export type MetricsData = Static<typeof Metrics>;
