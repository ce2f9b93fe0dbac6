import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext, ISODate } from "intel-node";

const Day = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
const Time = (standard: string, description: string) =>
  Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", default: standard, description });

/** The operator's settings of Brazil: `[plugins.brazil]`. */
export const config = Type.Object({
  copom_dates: Type.Array(Day, {
    default: [],
    description: "days on which the Copom decides, past the end of the list that is shipped",
  }),
  extra_holidays: Type.Array(Day, { default: [], description: "exceptional bank holidays" }),
  equity_universe: Type.Union([Type.Literal("ibov"), Type.Literal("all")], {
    default: "ibov",
    description: "which shares keep a history: members of the Ibovespa, or every one",
  }),
  inflation_target: Type.Object(
    {
      centre: Type.Number({ default: 3, minimum: 0, maximum: 20, description: "percent" }),
      band: Type.Number({ default: 1.5, minimum: 0, maximum: 10, description: "percentage points to either side" }),
      from: Type.String({ default: "2025-01-01", pattern: Day.pattern ?? "", description: "first day it holds" }),
    },
    { description: "the continuous inflation target (Decree 12.079/2024)" },
  ),
  equity_session: Type.Object(
    { open: Time("10:00", "local time"), close: Time("17:55", "local time") },
    { description: "regular hours of B3's cash market" },
  ),
});
export type BrazilConfig = Static<typeof config>;

/** Bank holidays the operator added. */
export const readHolidays = (context: Pick<FetchContext, "config">): ReadonlySet<ISODate> =>
  new Set(context.config(config).extra_holidays);
