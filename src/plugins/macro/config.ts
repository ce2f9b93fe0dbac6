import { type Static, Type } from "@sinclair/typebox";

/** The operator's settings of macro events: `[plugins.macro]`. */
export const config = Type.Object({
  decision_dates: Type.Array(Type.String({ pattern: "^(fomc|ecb|boe|boj|copom) \\d{4}-\\d{2}-\\d{2}$" }), {
    default: [],
    maxItems: 500,
    description: "days on which central banks decide, past the end of the lists that are shipped: bank and day",
    example: ["boe 2028-02-03", "copom 2028-02-02"],
  }),
});
export type MacroConfig = Static<typeof config>;
