import { type Static, Type } from "@sinclair/typebox";
import { closed } from "../core/schema-fields.ts";
import { BASKET_CHARS_MAX, BASKET_ITEMS_MAX } from "./basket-items.ts";
import { VIEW_VALUES } from "./view.ts";

export const BasketParams = Type.Object(
  {
    items: Type.String({
      description:
        `JSON list of 1 to ${BASKET_ITEMS_MAX} items such as [{"product":"/fear-greed"},{"product":"/mempool",` +
        '"params":{},"view":"brief"}]. A body may hold the list itself, or be it.',
      contentMediaType: "application/json",
      minLength: 2,
      maxLength: BASKET_CHARS_MAX,
    }),
    partial: Type.Boolean({
      description: "Keys only: true = each item is its own call, and only delivered items are charged.",
      default: false,
    }),
  },
  closed,
);

const Atomic = (description: string) =>
  Type.String({ description: `${description}, in millionths of a US dollar.`, pattern: "^(0|[1-9][0-9]{0,15})$" });

const ASKED = {
  product: Type.String({ description: "Path of the product." }),
  params: Type.Record(Type.String(), Type.Unknown(), { description: "What it was asked with, defaults included." }),
  view: Type.Optional(Type.Union(VIEW_VALUES.map((value) => Type.Literal(value)))),
  fields: Type.Optional(Type.String({ description: "Which parts of its answer, as it was asked." })),
  price_atomic: Atomic("What it costs alone"),
} as const;

const Delivered = Type.Object(
  {
    ...ASKED,
    as_of: Type.String({ description: "Time of its newest datum, ISO 8601." }),
    sha256: Type.String({
      description: "SHA-256 of the bytes of `answer` as given here; sold alone, it has the same bytes.",
      pattern: "^[0-9a-f]{64}$",
    }),
    receipt_id: Type.Optional(Type.String({ description: "With `partial`: the call of the key that paid for it." })),
    answer: Type.Record(Type.String(), Type.Unknown(), { description: "Its whole answer, envelope included." }),
  },
  closed,
);

const Failed = Type.Object(
  {
    ...ASKED,
    charged: Type.Union([Type.Literal(false), Type.Literal("unknown")]),
    error: Type.Object(
      { code: Type.String(), detail: Type.String(), retry_after: Type.Optional(Type.Number()) },
      { ...closed, description: "With `partial`: why there is no answer." },
    ),
  },
  closed,
);

export const BasketSchema = Type.Object(
  {
    items: Type.Array(Type.Union([Delivered, Failed]), { description: "In the order they were asked for." }),
    delivered: Type.Integer({ description: "Items with an answer: all of them, unless `partial` was asked for." }),
    sum_atomic: Atomic("What the delivered items cost one by one"),
    discount_atomic: Atomic("What is taken off that"),
    price_atomic: Atomic("What was charged for them"),
  },
  closed,
);
export type BasketData = Static<typeof BasketSchema>;
export type DeliveredItem = Static<typeof Delivered>;
export type FailedItem = Static<typeof Failed>;
