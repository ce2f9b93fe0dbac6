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
  /** The curve fitted when the newest day is stored, which takes longer than everything else. Past days have none. */
  nss: Type.Object({ nominal: Fit, real: Fit }),
});
export type StoredDay = Static<typeof StoredDaySchema>;

/** The data taken from B3's file of a day; its sources also apply to that day's closes. */
export const b3Settlements = defineSeries({
  name: "brazil/settlements",
  value: StoredDaySchema,
  keep: "800d",
  storage: "kept",
  cited: true,
});
