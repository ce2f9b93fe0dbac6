import type { Static } from "@sinclair/typebox";
import { defineProduct, exampleOf, NodeError } from "intel-node";
import { CANDLE_VENUES } from "intel-node/providers/candle-venues";
import { UNIVERSE_20 } from "../universe/universe.ts";
import { drawBacktest } from "./charts.ts";
import { computeBacktest, redactBacktest, rewindBacktest } from "./compute.ts";
import made from "./example.gen.json" with { type: "json" };
import { fetchBacktest } from "./fetch.ts";
import { gist } from "./gist.ts";
import { type BacktestData, BacktestParams, BacktestSchema, CURVE_POINTS } from "./schema.ts";
import { DEFAULT_SYMBOL, getStrategy, isOfOneCoin } from "./strategies.ts";

const VENUES = CANDLE_VENUES.map(({ provider }) => provider);

/** @throws NodeError invalid_parameter for a coin beside a rule that has its own coins. */
function assertTraded(params: Static<typeof BacktestParams>): Static<typeof BacktestParams> {
  const { symbol = DEFAULT_SYMBOL } = params;
  const strategy = getStrategy(params.strategy);
  if (symbol === DEFAULT_SYMBOL || isOfOneCoin(strategy)) return params;
  const own = `${strategy.id} trades ${strategy.symbols.join(" and ")}; leave "symbol" out.`;
  throw new NodeError("invalid_parameter", own, {
    param: "symbol",
    details: { parameter: "symbol", got: symbol, allowed: [DEFAULT_SYMBOL] },
  });
}

const getFineParams = ({ strategy, symbol, days }: BacktestData): Static<typeof BacktestParams> => ({
  strategy: getStrategy(strategy).id,
  symbol: UNIVERSE_20.find((one) => one === symbol) ?? DEFAULT_SYMBOL,
  days,
  points: CURVE_POINTS.max,
  trades: 0,
});

const example = exampleOf({ strategy: "donchian_20_10", days: 200 }, made);

export const product = defineProduct({
  path: "/backtest",
  title: "Backtest of a classic rule on a coin",
  description:
    "Daily backtest of one of eleven classic rules (averages, MACD, momentum, Donchian, RSI, Bollinger, volatility " +
    `target, BTC/ETH rotation) on Bitcoin or ${UNIVERSE_20.length - 1} more coins against holding the coin: decided ` +
    "at the close, traded at the next open. Return after costs, Sharpe, Sortino, drawdown, equity curve and trades.",
  category: "crypto-market",
  tags: ["backtest", "strategy", "bitcoin", "risk", "performance"],
  search: [
    "backtest a strategy",
    "how did buy and hold do",
    "moving average crossover",
    "test a trading strategy",
    "testar estratégia",
    "moving averages on bitcoin",
    "backtest ETH",
    "backtest de estratégia",
  ],
  price_usd: "0.06",
  params: BacktestParams,
  normalise: assertTraded,
  data: BacktestSchema,
  long: ["equity_curve", "trades_list"],
  example,
  gist,
  providers: VENUES,
  requires: [VENUES],
  ttl: "1h",
  max_age: "25h",
  deadline_ms: 12_000,
  preview: {
    every: "24h",
    delay: "1d",
    rewind: rewindBacktest,
    redact: redactBacktest,
    // The free picture is finer than the points that are sold by default.
    charts: ({ data, inputs }) => drawBacktest(computeBacktest(inputs, { params: getFineParams(data) }).data),
  },
  fetch: fetchBacktest,
  compute: computeBacktest,
});
