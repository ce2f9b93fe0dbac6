import { type Static, Type } from "@sinclair/typebox";
import { closed, text } from "intel-node";
import { BUNDLE_FIELDS } from "../bundles/schema.ts";

export const StarterPackSchema = Type.Object(
  {
    ...BUNDLE_FIELDS,
    next_steps: Type.Array(
      Type.Object(
        {
          path: text("The product."),
          title: text("Its name."),
          price_usd: text("Its price, US dollars."),
          call: text("How it is called."),
        },
        closed,
      ),
      { description: "Three products to go on with, cheapest first.", maxItems: 3 },
    ),
    how_to_pay: Type.Array(Type.String(), { description: "Addresses of this node that explain paying." }),
  },
  closed,
);
export type StarterPackData = Static<typeof StarterPackSchema>;
