import { Type } from "@sinclair/typebox";
import { type FetchContext, type ISODate, NodeError, toLocal } from "intel-node";
import { ZONE } from "../b3/stored-days.ts";
import { type BrazilConfig, config } from "../config.ts";
import { listMeetings } from "../curve/copom.ts";
import {
  focusInflation12,
  focusMeetings,
  focusYears,
  ibgeCalendar,
  ibgeSeries,
  macroSeries,
  ptax,
} from "../documents/stored.ts";
import { SGS_SERIES, type SGSSeries } from "../macro/series.ts";
import type { MacroRows } from "../macro/transforms.ts";
import type { MacroParams } from "./schema.ts";

/** A younger value can still be the newest one. */
const STORED_MAX = "45d";
/** Series that are shown in full and no figure is made of. */
export const SHOWN_ONLY: ReadonlySet<string> = new Set(["cdi_day", "igpdi", "ipca_free"]);
/** Series that take the place of others. */
export const STAND_INS: ReadonlySet<string> = new Set([
  ...["ptax_sell", "ptax_buy", "ipca_12m", "unemployment", "reserves_month"],
]);
const FOCUS_IDS = ["ipca", "igpm", "gdp", "usd_brl", "selic", "gross_debt"] as const;

type FocusYear =
  Awaited<ReturnType<typeof focusYears.read>> extends infer D
    ? D extends { value: readonly (infer Row)[] }
      ? Row
      : never
    : never;
type Meetings = NonNullable<Awaited<ReturnType<typeof focusMeetings.read>>>["value"];
type Releases = NonNullable<Awaited<ReturnType<typeof ibgeCalendar.read>>>["value"];

export interface MacroInputs {
  /** By id of the series; those that are missing are empty. */
  readonly series: Readonly<Record<string, MacroRows>>;
  /** Day, buy, sell, oldest first. */
  readonly ptax: readonly (readonly [date: ISODate, buy: number, sell: number])[];
  readonly ibge_ipca: MacroRows;
  readonly ibge_unemployment: MacroRows;
  readonly focus: readonly FocusYear[] | null;
  readonly focus_selic: Meetings | null;
  readonly focus_ipca_12m: number | null;
  readonly releases: Releases | null;
  /** Nominal rate of a year, percent. */
  readonly di_1y: number | null;
  readonly meetings: readonly ISODate[];
  readonly target: BrazilConfig["inflation_target"];
  readonly today: ISODate;
}

const CurveFact = Type.Object({
  curve: Type.Array(Type.Object({ tenor: Type.String(), nominal: Type.Union([Type.Number(), Type.Null()]) })),
});

async function readDI(context: FetchContext): Promise<number | null> {
  const { data } = await context.ask("/br-curve", {}, CurveFact);
  return data.curve.find(({ tenor }) => tenor === "1y")?.nominal ?? null;
}

/** Pairs of series 1 and 10813, when PTAX itself is unavailable. */
function pairSeries(sell: MacroRows, buy: MacroRows): MacroInputs["ptax"] {
  const buys = new Map(buy);
  return sell.flatMap(([date, rate]) => {
    const other = buys.get(date);
    // Catalogs swap the two: who sells below what he buys at is the other one.
    return other === undefined || other > rate ? [] : [[date, other, rate] as const];
  });
}

/**
 * Everything is read from the jobs' data; only /br-curve is asked.
 * @throws NodeError without the Selic target, IPCA or a rate of the US dollar of the last 45 days.
 */
export async function fetchMacro(context: FetchContext, { detail }: Partial<MacroParams>): Promise<MacroInputs> {
  const rowsOf = async (of: string): Promise<MacroRows> =>
    (await macroSeries.read(context, { of, max_age: STORED_MAX }))?.value ?? [];
  const seriesOf = async (isWanted: (series: SGSSeries) => boolean): Promise<Readonly<Record<string, MacroRows>>> =>
    Object.fromEntries(
      await Promise.all(SGS_SERIES.filter(isWanted).map(async ({ id }) => [id, await rowsOf(id)] as const)),
    );
  const ibgeOf = async (of: string): Promise<MacroRows> =>
    (await ibgeSeries.read(context, { of, max_age: STORED_MAX }))?.value ?? [];
  const [all, stored_ptax, ibge_ipca, ibge_unemployment, focus, meetings, next12, releases, di_1y] = await Promise.all([
    seriesOf(({ id }) => detail === "full" || !(SHOWN_ONLY.has(id) || STAND_INS.has(id))),
    ptax.read(context, { max_age: STORED_MAX }),
    ibgeOf("ipca"),
    ibgeOf("unemployment"),
    Promise.all(FOCUS_IDS.map((of) => focusYears.read(context, { of, max_age: STORED_MAX }))),
    focusMeetings.read(context, { max_age: STORED_MAX }),
    focusInflation12.read(context, { max_age: STORED_MAX }),
    ibgeCalendar.read(context, { max_age: "5d" }),
    readDI(context).catch(() => null),
  ]);
  const is_there: Readonly<Record<string, boolean>> = {
    ptax_sell: stored_ptax !== null,
    ptax_buy: stored_ptax !== null,
    ipca_12m: Math.max(all.ipca?.length ?? 0, ibge_ipca.length) >= 12,
    unemployment: ibge_unemployment.length > 0,
    reserves_month: (all.reserves?.length ?? 0) > 0,
  };
  const series = { ...(await seriesOf(({ id }) => is_there[id] === false && all[id] === undefined)), ...all };
  const pairs = stored_ptax?.value ?? pairSeries(series.ptax_sell ?? [], series.ptax_buy ?? []);
  const missing = [
    series.selic_target?.length ? "" : "the Selic target",
    series.ipca?.length || ibge_ipca.length ? "" : "the IPCA",
    pairs.length > 0 ? "" : "the PTAX",
  ].filter((name) => name !== "");
  if (missing.length > 0) throw new NodeError("upstream_unavailable", `${missing.join(", ")} could not be had`);
  const surveys = focus.flatMap((document) => document?.value ?? []);
  const { copom_dates, inflation_target } = context.config(config);
  return {
    series,
    ptax: pairs,
    ibge_ipca,
    ibge_unemployment,
    di_1y,
    focus: surveys.length > 0 ? surveys : null,
    focus_selic: meetings?.value ?? null,
    focus_ipca_12m: next12?.value.median ?? null,
    releases: releases?.value ?? null,
    meetings: listMeetings(copom_dates),
    target: inflation_target,
    today: toLocal(ZONE, context.now_ms).date,
  };
}
