import { type Static, Type } from "@sinclair/typebox";

/** The operator's settings of shares: `[plugins.equities]`. */
export const config = Type.Object({
  holidays: Type.Array(
    Type.String({ pattern: "^[A-Z]{4} \\d{4}-\\d{2}-\\d{2} (closed|open|([01]\\d|2[0-3]):[0-5]\\d|last)$" }),
    {
      default: [],
      maxItems: 1_000,
      description:
        "days of exchanges beside the lists that are shipped: MIC, day, and closed, open, the local time it ends " +
        "early, or last for the last day these lines state completely",
      example: ["XHKG 2026-09-08 closed", "XNYS 2026-12-24 13:00", "XNYS 2028-12-31 last"],
    },
  ),
});
export type EquitiesConfig = Static<typeof config>;
