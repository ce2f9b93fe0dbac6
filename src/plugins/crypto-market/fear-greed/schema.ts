import { type Static, Type } from "@sinclair/typebox";
import { closed, day, nullable, oneOf } from "intel-node";

export const COMPONENTS = ["momentum", "volatility", "breadth", "drawdown", "funding"] as const;

const Component = Type.Object(
  {
    name: oneOf(COMPONENTS, "momentum, volatility, breadth, drawdown or funding."),
    weight: Type.Number({
      description: "Weight used, 0-1; 0 when the component has no value.",
      minimum: 0,
      maximum: 1,
      decimals: 4,
    }),
    value: nullable(Type.Number({ minimum: 0, maximum: 100, decimals: 1 }), "0 (fear) to 100 (greed), points."),
  },
  closed,
);

const NodeIndex = Type.Object(
  {
    value: Type.Number({ description: "0 (fear) to 100 (greed), points.", minimum: 0, maximum: 100, decimals: 1 }),
    components: Type.Array(Component, { description: "What it is made of.", minItems: 5, maxItems: 5 }),
  },
  closed,
);

const HistoryRow = Type.Object(
  {
    date: day("Day, UTC, YYYY-MM-DD."),
    value: Type.Integer({ description: "Index on that day, points.", minimum: 0, maximum: 100 }),
  },
  closed,
);

const Attribution = Type.Object(
  {
    text: Type.String({ description: "To be shown next to the value." }),
    url: Type.String({ description: "The publisher's page." }),
  },
  closed,
);

const change = (days: number) =>
  nullable(Type.Integer(), `Change against ${days} day(s) before, points; null without that day's value.`);

export const FearGreedSchema = Type.Object(
  {
    index_id: Type.Union([Type.Literal("alternative_me"), Type.Literal("coinmarketcap"), Type.Literal("node")], {
      description: "Whose index `value` is: alternative_me, coinmarketcap or node. They are different indices.",
    }),
    value: Type.Integer({
      description: "Index, 0 (fear) to 100 (greed), points.",
      minimum: 0,
      maximum: 100,
      decimals: 0,
    }),
    classification: Type.String({
      description: "The publisher's own word; of node: extreme_fear, fear, neutral, greed or extreme_greed.",
    }),
    value_at: Type.String({ description: "The publisher's time of the value, ISO 8601 UTC." }),
    next_update_at: nullable(Type.String(), "Next publication, ISO 8601 UTC; null when not published."),
    change_1d: change(1),
    change_7d: change(7),
    change_30d: change(30),
    percentile_365d: nullable(
      Type.Number({ minimum: 0, maximum: 100, decimals: 2 }),
      "Percentile rank of value among the last 365, percent; null with fewer than 200 values.",
    ),
    streak_days: nullable(Type.Integer({ minimum: 1 }), "Consecutive days with the same classification, days."),
    history: nullable(Type.Array(HistoryRow, { maxItems: 30 }), "The last 30 values, newest first."),
    node_index: nullable(NodeIndex, "An independent index this node computes from prices; null without fresh prices."),
    attribution: nullable(Attribution, "The publisher; must stay next to `value`.", "when index_id is node"),
  },
  closed,
);

export type FearGreedData = Static<typeof FearGreedSchema>;
export type NodeIndexData = Static<typeof NodeIndex>;
export type FearGreedComponent = (typeof COMPONENTS)[number];
