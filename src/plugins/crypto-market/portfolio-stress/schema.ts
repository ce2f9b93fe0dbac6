import { type Static, Type } from "@sinclair/typebox";
import { closed, nullable, oneOf } from "intel-node";
import { POSITIONS_CHARS_MAX } from "./positions.ts";

export const StressParams = Type.Object(
  {
    positions: Type.String({
      description:
        'JSON list of 1 to 50 positions such as [{"asset":"BTC","quantity":0.5}]; a quantity below 0 is a short. ' +
        "A body can hold the list itself.",
      contentMediaType: "application/json",
      minLength: 2,
      maxLength: POSITIONS_CHARS_MAX,
    }),
  },
  closed,
);

const PositionRow = Type.Object(
  {
    asset: Type.String({ description: "Ticker." }),
    quantity: Type.Number({ description: "Held; below 0 when sold short." }),
    price_usd: nullable(
      Type.Number({ exclusiveMinimum: 0, digits: 8 }),
      "Price used, US dollars; null when no source has one.",
    ),
    value_usd: nullable(Type.Number({ decimals: 2 }), "Quantity x price, US dollars."),
    weight_frac: nullable(Type.Number({ minimum: -1, maximum: 1, decimals: 4 }), "Value over gross_usd."),
    beta: nullable(
      Type.Number({ minimum: 0, decimals: 4 }),
      "Slope over Bitcoin, used by scenarios without their own figure: of 180 daily log returns, at most 3; 1 " +
        "where that is unknown or not above 0, which a warning says. Null for stablecoins and without a price.",
    ),
    source: nullable(Type.String(), "Where the price is from: oracle-consensus, spot-median or a venue."),
    priced: Type.Boolean({ description: "Whether it has a price; without one it is in no other figure." }),
  },
  closed,
);

const ScenarioRow = Type.Object(
  {
    asset: Type.String({ description: "Ticker." }),
    shock_pct: nullable(
      Type.Number({ decimals: 2 }),
      "Change of its price, percent; for liquidity_exit the cost of leaving.",
    ),
    shock_source: oneOf(
      ["table", "beta", "rule"],
      "table: its own figure; beta: Bitcoin's figure times its beta; rule: the scenario's rule.",
    ),
    pnl_usd: nullable(Type.Number({ decimals: 2 }), "Result of the position, US dollars."),
  },
  closed,
);

const Scenario = Type.Object(
  {
    id: Type.String({ description: "Scenario." }),
    kind: oneOf(["historical", "hypothetical"], "historical: dated; hypothetical: a rule."),
    from: nullable(Type.String(), "Day (UTC) of the first close", "when hypothetical"),
    to: nullable(Type.String(), "Day (UTC) of the last close", "when hypothetical"),
    pnl_usd: nullable(
      Type.Number({ decimals: 2 }),
      "Result of the portfolio, US dollars; null when no position's result is known.",
    ),
    pnl_gross_pct: nullable(Type.Number({ decimals: 2 }), "pnl_usd over gross_usd, percent."),
    pnl_net_pct: nullable(
      Type.Number({ decimals: 2 }),
      "pnl_usd over value_usd, percent; null unless value_usd is above 0.",
    ),
    worst_asset: nullable(Type.String(), "The position that loses most", "where none loses"),
    unfilled: Type.Array(Type.String(), { description: "Worth more than 10 % of the day's volume (liquidity_exit)." }),
    rows: Type.Array(ScenarioRow, { description: "By position.", maxItems: 50 }),
  },
  closed,
);

const VaRRow = Type.Object(
  {
    method: oneOf(
      ["normal", "cornish_fisher", "historical"],
      "normal: weighted covariance; cornish_fisher: with skewness and kurtosis; historical: past results.",
    ),
    horizon_d: oneOf([1, 10], "Days; 10 days are 1 day x sqrt(10), an approximation."),
    var_usd: nullable(
      Type.Number({ decimals: 2 }),
      "Value at risk: loss not exceeded with this confidence, US dollars.",
    ),
    es_usd: nullable(
      Type.Number({ decimals: 2 }),
      "Expected shortfall: mean loss beyond it, US dollars",
      "for cornish_fisher",
    ),
  },
  closed,
);

const VaR = Type.Object(
  {
    confidence: oneOf([0.95, 0.99], "0.95 or 0.99."),
    rows: Type.Array(VaRRow, { description: "By method and horizon." }),
  },
  closed,
);

const Share = Type.Object(
  {
    asset: Type.String({ description: "Ticker." }),
    share_frac: Type.Number({ description: "Its part of the variance; below 0 when it hedges the rest.", decimals: 4 }),
  },
  closed,
);

export const StressSchema = Type.Object(
  {
    value_usd: Type.Number({ description: "Sum of the values, shorts subtracted, US dollars.", decimals: 2 }),
    gross_usd: Type.Number({
      description: "Sum of the values without their signs, US dollars.",
      exclusiveMinimum: 0,
      decimals: 2,
    }),
    positions: Type.Array(PositionRow, { description: "Every position.", minItems: 1, maxItems: 50 }),
    scenarios: Type.Array(Scenario, { description: "Dated falls, then hypothetical ones." }),
    var: nullable(Type.Array(VaR), "By confidence; null without daily bars."),
    component_var: nullable(Type.Array(Share), "What each position adds to the risk; the parts sum to 1."),
    sigma_annual_pct: nullable(
      Type.Number({ minimum: 0, decimals: 2 }),
      "Volatility of one year, percent of the gross value.",
    ),
    correlation_to_btc: nullable(
      Type.Number({ minimum: -1, maximum: 1, decimals: 4 }),
      "Of daily results and Bitcoin's returns.",
    ),
    diversification_ratio: nullable(
      Type.Number({ minimum: 0, decimals: 4 }),
      "Sum of the positions' sigmas over the portfolio's.",
    ),
    history_days: nullable(Type.Integer({ minimum: 1 }), "Daily returns behind these figures."),
    no_history: Type.Array(Type.String(), { description: "Left out of them: no source has 120 daily bars." }),
    unpriced: Type.Array(Type.String(), { description: "Assets without a price." }),
    worst_scenario: Type.String({ description: "Id of the scenario that loses most." }),
  },
  closed,
);

export type StressData = Static<typeof StressSchema>;
