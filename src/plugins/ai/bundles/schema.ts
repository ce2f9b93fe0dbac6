import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, oneOf, text } from "intel-node";

const Atomic = (description: string) =>
  Type.String({ description: `${description}, in millionths of a US dollar.`, pattern: "^(0|[1-9][0-9]{0,15})$" });

const Direction = oneOf(
  ["bullish", "neutral", "bearish", "na"],
  "What the part says of direction, by the README's table; na of parts that say nothing of it.",
);
export type BundleDirection = Static<typeof Direction>;

const Item = Type.Object(
  {
    path: text("The product."),
    params: Type.Record(Type.String(), Type.String(), { description: "What it was asked with." }),
    price_atomic: Atomic("What it costs alone"),
    as_of: text("Time of its newest datum, ISO 8601."),
    warnings: Type.Array(Type.String(), { description: "Its own warnings." }),
    data: Type.Record(Type.String(), Type.Unknown(), { description: "Its data, as its own schema describes them." }),
  },
  closed,
);

/** What every bundle answers with. */
export const BUNDLE_FIELDS = {
  items: Type.Array(Item, { description: "The parts, in the order of the description." }),
  parts_price_atomic: Atomic("What the parts cost one by one"),
  price_atomic: Atomic("What the bundle costs"),
  saving_pct: Type.Number({ description: "What is saved, percent of the parts' price.", decimals: 2 }),
  combined: Type.Object(
    {
      signals: Type.Array(Type.Object({ path: text("The part."), signal: Direction }, closed), {
        description: "Direction by part.",
      }),
      agreement: nullable(
        Type.Number({ minimum: 0, maximum: 1, decimals: 4 }),
        "Share of the parts that say a direction which say the most frequent one; null with fewer than two.",
      ),
      directional: count("Parts that say a direction, neutral included."),
    },
    { ...closed, description: "The parts' directions side by side; no forecast of this node." },
  ),
} as const;

export const BundleSchema = Type.Object(BUNDLE_FIELDS, closed);
export type BundleData = Static<typeof BundleSchema>;
