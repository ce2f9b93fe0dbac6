import { addDays, type ISODate, isBankDay, type SimulatedWorld } from "intel-node";
import type { SGSSeries } from "../macro/series.ts";
import { ptaxOf } from "./simulated-b3.ts";
import { isPublished, readMove, round } from "./simulated-days.ts";
import { overnightOn, targetOn } from "./simulated-policy.ts";

/** A usual value of each series, and how far it moves. */
const LEVELS: Readonly<Record<string, { readonly level: number; readonly swing: number; readonly decimals: number }>> =
  {
    selic_target: { level: 15, swing: 0, decimals: 2 },
    selic_effective: { level: 14.9, swing: 0, decimals: 2 },
    cdi_day: { level: 0.055131, swing: 0, decimals: 6 },
    cdi_annual: { level: 14.9, swing: 0, decimals: 2 },
    ipca_12m: { level: 4.3, swing: 0.4, decimals: 2 },
    unemployment: { level: 5.8, swing: 0.4, decimals: 1 },
    ibc_br_nsa: { level: 107, swing: 3, decimals: 2 },
    ibc_br: { level: 107.5, swing: 1.2, decimals: 2 },
    gross_debt: { level: 79, swing: 1.5, decimals: 2 },
    net_debt: { level: 65, swing: 1.2, decimals: 2 },
    primary_need_12m: { level: 0.6, swing: 0.4, decimals: 2 },
    reserves_month: { level: 362_000, swing: 6_000, decimals: 0 },
    reserves: { level: 362_000, swing: 6_000, decimals: 0 },
    trade_balance: { level: 6_200, swing: 1_800, decimals: 1 },
    current_account: { level: -5_400, swing: 1_500, decimals: 1 },
    gdp_volume: { level: 192, swing: 3, decimals: 2 },
  };
const INFLATION = { level: 0.34, swing: 0.22, decimals: 2 };

/** What a series says of a day or a month. */
export function readSeriesAt(world: SimulatedWorld, { id }: Pick<SGSSeries, "id">, date: ISODate): number {
  if (id === "ptax_sell") return ptaxOf(world, date).sell;
  if (id === "ptax_buy") return ptaxOf(world, date).buy;
  if (id === "selic_target") return targetOn(date);
  if (id === "selic_effective" || id === "cdi_annual") return overnightOn(date);
  if (id === "cdi_day") return round(((1 + overnightOn(date) / 100) ** (1 / 252) - 1) * 100, 6);
  const { level, swing, decimals } = LEVELS[id] ?? INFLATION;
  return round(level + swing * readMove(world, `sgs-${id}`, date), decimals);
}

const firstOfMonth = (date: ISODate): ISODate => `${date.slice(0, 7)}-01`;
const nextMonth = (date: ISODate): ISODate => firstOfMonth(addDays(firstOfMonth(date), 32));
/** Days after its month or quarter before a figure is published. */
const LAG_DAYS = 12;

/** Days a series has observations of, as they are dated. */
export function listObservations(
  world: SimulatedWorld,
  { frequency }: Pick<SGSSeries, "frequency">,
  { from, to }: { readonly from: ISODate; readonly to: ISODate },
): readonly ISODate[] {
  const dates: ISODate[] = [];
  if (frequency === "daily") {
    for (let date = from; date <= to; date = addDays(date, 1)) {
      if (isBankDay(date) && isPublished(world, date, "13:30")) dates.push(date);
    }
    return dates;
  }
  for (let date = firstOfMonth(from); date <= to; date = nextMonth(date)) {
    const is_first = frequency === "monthly" || Number(date.slice(5, 7)) % 3 === 1;
    const last = frequency === "monthly" ? nextMonth(date) : nextMonth(addDays(date, 62));
    if (is_first && date >= from && isPublished(world, addDays(last, LAG_DAYS), "09:00")) dates.push(date);
  }
  return dates;
}
