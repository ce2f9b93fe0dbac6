import { addDays, easterOf, type ISODate, isWeekend, yearOf } from "./dates.ts";
import { easter, fixed, GOOD_FRIDAY, type HolidayRule, since } from "./holiday-rules.ts";

/**
 * The national bank holidays of Brazil, which ANBIMA lists for counting business days. They stay where they fall, at
 * weekends too. Consciência Negra (20 November) is national from 2024 on (Law 14,759 of 2023-12-21).
 */
const ANBIMA_RULES: readonly HolidayRule[] = [
  fixed(1, 1),
  easter(-48, -47),
  GOOD_FRIDAY,
  fixed(4, 21),
  fixed(5, 1),
  easter(60),
  fixed(9, 7),
  fixed(10, 12),
  fixed(11, 2),
  fixed(11, 15),
  since(2024, fixed(11, 20)),
  fixed(12, 25),
];

/** B3 also closes on these two days. */
export const B3_RULES: readonly HolidayRule[] = [...ANBIMA_RULES, fixed(12, 24), fixed(12, 31)];

/** Whether a day is Ash Wednesday, on which B3 opens late. */
export const isAshWednesday = (date: ISODate): boolean => addDays(easterOf(yearOf(date)), -46) === date;

const by_year = new Map<number, ReadonlySet<ISODate>>();

/** The bank holidays of a year, weekends included. */
export function bankHolidaysOf(year: number): ReadonlySet<ISODate> {
  const known = by_year.get(year);
  if (known) return known;
  const days = new Set(ANBIMA_RULES.flatMap((rule) => rule(year)));
  by_year.set(year, days);
  return days;
}

/** Whether banks work; `extra` are exceptional holidays that the operator knows of. */
export const isBankDay = (date: ISODate, extra: ReadonlySet<ISODate> = new Set()): boolean =>
  !isWeekend(date) && !extra.has(date) && !bankHolidaysOf(yearOf(date)).has(date);

/** Dias úteis: the business days from the first day on, up to and without the second; negative when it lies before. */
export function countBankDays(from: ISODate, to: ISODate, extra?: ReadonlySet<ISODate>): number {
  if (to < from) return -countBankDays(to, from, extra);
  let count = 0;
  for (let date = from; date < to; date = addDays(date, 1)) if (isBankDay(date, extra)) count++;
  return count;
}
