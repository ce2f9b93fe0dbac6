import { Type } from "@sinclair/typebox";

/** [plugins.ai] */
export const settings = Type.Object({
  feeds_off: Type.Array(Type.String({ maxLength: 40 }), {
    default: [],
    maxItems: 100,
    description: "news feeds that are not read, by their ids",
    example: ["techcrunch"],
  }),
});
