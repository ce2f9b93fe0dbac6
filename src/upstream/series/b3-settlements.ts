import { type Static, Type } from "@sinclair/typebox";
import { defineSeries } from "../../catalog/series.ts";

const Figure = Type.Union([Type.Number(), Type.Null()]);
const Fit = Type.Union([
  Type.Object({
    beta: Type.Tuple([Type.Number(), Type.Number(), Type.Number(), Type.Number()]),
    lambda: Type.Tuple([Type.Number(), Type.Number()]),
    rmse_bps: Type.Number(),
    max_bps: Type.Number(),
    n: Type.Integer(),
  }),
  Type.Null(),
]);
const StoredDaySchema = Type.Object({
  date: Type.String(),
  source: Type.Union([Type.Literal("b3_files"), Type.Literal("b3_reports")]),
  dropped: Type.Array(Type.String()),
  /** Symbol, settlement, rate, contracts traded, contracts open. */
  rows: Type.Array(Type.Tuple([Type.String(), Type.Number(), Figure, Figure, Figure])),
  /** Fitted when the newest day is stored: it takes longer than all the rest. Past days have none. */
  nss: Type.Object({ nominal: Fit, real: Fit }),
});
export type StoredDay = Static<typeof StoredDaySchema>;

/** What was taken of B3's file of a day; its sources are those of that day's closes too. */
export const b3Settlements = defineSeries({
  name: "brazil/settlements",
  value: StoredDaySchema,
  keep: "800d",
  storage: "kept",
  cited: true,
});
