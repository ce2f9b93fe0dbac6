import { type Static, Type } from "@sinclair/typebox";
import { defineSeries, type FetchContext, type ISODate, type JobContext, type SeriesSample } from "intel-node";
import type { Settlement } from "../b3/settlement.ts";
import { momentOf } from "../b3/stored-days.ts";
import { findFront, listFutures } from "./fronts.ts";

const Figure = Type.Union([Type.Number(), Type.Null()]);
const Fronts = Type.Object({ cattle: Figure, corn: Figure, soy_usd_60kg: Figure, coffee_usd_60kg: Figure });
/** Settlements of the front contracts of a day, in their own units; null where none was settled. */
export type Fronts = Static<typeof Fronts>;

/** Fronts of each day alone: a year of them is read for every answer. */
const fronts = defineSeries({ name: "brazil/agro-fronts", value: Fronts, keep: "800d", storage: "kept" });

/** Soy of the contract of Santos, USD per tonne, as of 60 kg. */
const TONNE_IN_SACKS = 1_000 / 60;

export function getFronts(settlements: readonly Settlement[], date: ISODate): Fronts {
  const settleOf = (root: "BGI" | "CCM" | "SJC" | "SOY" | "ICF"): number | null =>
    findFront(listFutures(settlements, root), date)?.settle ?? null;
  const santos = settleOf("SOY");
  return {
    cattle: settleOf("BGI"),
    corn: settleOf("CCM"),
    soy_usd_60kg: settleOf("SJC") ?? (santos === null ? null : santos / TONNE_IN_SACKS),
    coffee_usd_60kg: settleOf("ICF"),
  };
}

export async function storeRatios(
  context: JobContext,
  { date, settlements }: { readonly date: ISODate; readonly settlements: readonly Settlement[] },
): Promise<void> {
  await fronts.write(context, getFronts(settlements, date), { at_ms: momentOf(date) });
}

/** Fronts of the last 52 weeks, oldest first. */
export const readFronts = (context: FetchContext): Promise<readonly SeriesSample<Fronts>[]> =>
  fronts.read(context, { last: "366d" });
