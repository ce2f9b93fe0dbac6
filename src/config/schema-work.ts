import { Type } from "@sinclair/typebox";
import { closed } from "../core/schema-fields.ts";

/** `[work]`: who computes what calls ask for. */
export const Work = Type.Object(
  {
    threads: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 64,
        description:
          "threads that compute heavy answers and those of your own plugins; they begin with the first and end after " +
          "30 idle seconds; 0 = none, else one less than the cores",
        example: 1,
      }),
    ),
  },
  { ...closed, description: "who computes what calls ask for" },
);
