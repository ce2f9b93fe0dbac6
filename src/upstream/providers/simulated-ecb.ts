import { addDays, easterOf, isWeekend, yearOf } from "../../calendars/dates.ts";
import type { SimulatedWorld } from "../../catalog/simulator.ts";
import { getSimulatedEuro } from "./simulated-fx.ts";

/** The rates of a day are fixed at about 13:15 and published at about 15:00 UTC. */
const FIXED_MS = 13.25 * 3_600_000;
export const PUBLISHED_MS = 15 * 3_600_000;

const listHolidays = (year: number): ReadonlySet<string> => {
  const easter = easterOf(year);
  const fixed = ["01-01", "05-01", "12-25", "12-26"].map((day) => `${year}-${day}`);
  return new Set([...fixed, addDays(easter, -2), addDays(easter, 1)]);
};
const holidays = new Map<number, ReadonlySet<string>>();

/** TARGET's holidays. */
function isHoliday(date: string): boolean {
  const year = yearOf(date);
  const known = holidays.get(year) ?? listHolidays(year);
  holidays.set(year, known);
  return known.has(date);
}

/** Units of a currency for 1 euro as the ECB fixed them on a day; null where it fixed none. */
export function getSimulatedFix(world: SimulatedWorld, currency: string, date: string): number | null {
  if (isWeekend(date) || isHoliday(date)) return null;
  return Number(getSimulatedEuro(world, currency, Date.parse(date) + FIXED_MS).toPrecision(6));
}
