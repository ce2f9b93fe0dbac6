import { addBankDays, type FetchContext, type ISODate, NodeError } from "intel-node";
import { type Fronts, getFronts, readFronts } from "../agro/stored-ratios.ts";
import { getDueDay, readSettlements, type SettlementDay } from "../b3/stored-days.ts";
import { readHolidays } from "../config.ts";
import { dataset as farmPrices } from "../datasets/conab.ts";
import { cropEstimates, ibgeCalendar, ptax } from "../documents/stored.ts";
import type { ParityPrice } from "./units.ts";

/** The greatest age of the settlements in bank days. */
const AGE_DU_MAX = 3;
const MARKETS_MIN = 3;

export interface FarmPrice {
  readonly product: string;
  readonly uf: string;
  readonly week_start: ISODate;
  readonly week_end: ISODate;
  readonly brl_per_kg: number;
}
type Estimates = NonNullable<Awaited<ReturnType<typeof cropEstimates.read>>>["value"];
type Releases = NonNullable<Awaited<ReturnType<typeof ibgeCalendar.read>>>["value"];

export interface AgroInputs {
  readonly day: SettlementDay;
  readonly before: SettlementDay | null;
  readonly ptax: { readonly date: ISODate; readonly sell: number };
  /** Every week and state; null when the file is missing. */
  readonly farm: readonly FarmPrice[] | null;
  readonly history: readonly Fronts[];
  readonly production: Estimates | null;
  readonly area: Estimates | null;
  readonly releases: Releases | null;
  /** Chicago, from a source that may be resold; null without one. */
  readonly chicago: readonly ParityPrice[] | null;
}

/** How many of cattle, corn, coffee and soy are settled. */
export const countMarkets = (day: SettlementDay): number =>
  Object.values(getFronts(day.settlements, day.date)).filter((settle) => settle !== null).length;

/**
 * Everything is read from the jobs' data; no calls.
 * @throws NodeError when fewer than 3 of 4 markets were settled within 3 bank days, or there is no PTAX.
 */
export async function fetchAgro(context: FetchContext): Promise<AgroInputs> {
  const oldest = addBankDays(getDueDay(context.now_ms), -AGE_DU_MAX, readHolidays(context));
  const [days, rates, fronts, production, area, calendar, farm] = await Promise.all([
    readSettlements(context, "16d"),
    ptax.read(context, { max_age: "45d" }),
    readFronts(context),
    cropEstimates.read(context, { of: "production" }),
    cropEstimates.read(context, { of: "area" }),
    ibgeCalendar.read(context, { max_age: "5d" }),
    context
      .dataset(farmPrices)
      .then((prices) => prices.find({ limit: 10_000 }))
      .catch(() => null),
  ]);
  const day = days.at(-1);
  if (!day || day.date < oldest) {
    throw new NodeError("upstream_unavailable", `there are no settlements of ${oldest} or later`);
  }
  if (countMarkets(day) < MARKETS_MIN) {
    throw new NodeError(
      "upstream_unavailable",
      `fewer than ${MARKETS_MIN} of cattle, corn, coffee and soy are settled`,
    );
  }
  const rate = (rates?.value ?? []).findLast(([date]) => date <= day.date);
  if (!rate) throw new NodeError("upstream_unavailable", `there is no PTAX of ${day.date} or before`);
  return {
    day,
    before: days.at(-2) ?? null,
    farm,
    chicago: null,
    ptax: { date: rate[0], sell: rate[2] },
    history: fronts.map(({ value }) => value),
    production: production?.value ?? null,
    area: area?.value ?? null,
    releases: calendar?.value ?? null,
  };
}
