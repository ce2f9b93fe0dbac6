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

/** The last weekday of a year. */
const lastWeekday: HolidayRule = (year) => {
  const last = `${year}-12-31`;
  return [isWeekend(last) ? addDays(last, isWeekend(addDays(last, -1)) ? -2 : -1) : last];
};

/** B3 also closes on 24 December and on the last weekday of a year: its last session of 2023 was on 28 December. */
export const B3_RULES: readonly HolidayRule[] = [...ANBIMA_RULES, fixed(12, 24), lastWeekday];

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

const DAY_MS = 86_400_000;
const FIRST_YEAR = 2000;
const LAST_YEAR = 2099;
const FIRST_DAY = Date.UTC(FIRST_YEAR, 0, 1) / DAY_MS;
const DAYS = Date.UTC(LAST_YEAR + 1, 0, 1) / DAY_MS - FIRST_DAY;

/** Bank days before each day since 2000-01-01: curves count over decades, for every vertex, in every answer. */
let counted: Int32Array | undefined;

function countAll(): Int32Array {
  const before = new Int32Array(DAYS + 1);
  const holidays = new Set<number>();
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year++) {
    for (const date of bankHolidaysOf(year)) holidays.add(dayOf(date));
  }
  for (let day = 0; day < DAYS; day++) {
    // 2000-01-01 was a Saturday.
    const is_bank_day = day % 7 > 1 && !holidays.has(day);
    before[day + 1] = (before[day] ?? 0) + (is_bank_day ? 1 : 0);
  }
  return before;
}

/** Days since 2000-01-01. */
const dayOf = (date: ISODate): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS - FIRST_DAY;

/** Dias úteis: the business days from the first day on, up to and without the second; negative when it lies before. */
export function countBankDays(from: ISODate, to: ISODate, extra: ReadonlySet<ISODate> = new Set()): number {
  if (to < from) return -countBankDays(to, from, extra);
  const [first, end] = [dayOf(from), dayOf(to)];
  if (first >= 0 && end <= DAYS) {
    counted ??= countAll();
    let count = (counted[end] ?? 0) - (counted[first] ?? 0);
    for (const date of extra) if (date >= from && date < to && isBankDay(date)) count--;
    return count;
  }
  let count = 0;
  for (let date = from; date < to; date = addDays(date, 1)) if (isBankDay(date, extra)) count++;
  return count;
}

/** The first of the indexes from which on `holds`; `end` where it never does. */
function findFirst(end: number, holds: (index: number) => boolean): number {
  let [from, to] = [0, end];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** The same as walking, by looking it up; null where the table does not reach. */
function jump(date: ISODate, days: number): ISODate | null {
  const from = dayOf(date);
  if (from < 0 || from >= DAYS) return null;
  counted ??= countAll();
  const before = counted;
  const at = (day: number): number => before[day] ?? 0;
  // Forwards the day itself does not count; backwards it does not either.
  const wanted = days > 0 ? at(from + 1) + days : at(from) + days;
  const day =
    days > 0 ? findFirst(DAYS, (index) => at(index + 1) >= wanted) : findFirst(DAYS, (index) => at(index) > wanted) - 1;
  if (day < 0 || day >= DAYS || wanted < 0) return null;
  return new Date((day + FIRST_DAY) * DAY_MS).toISOString().slice(0, 10);
}

/** The bank day that many bank days away; with 0 the day itself, or the next one when banks are closed on it. */
export function addBankDays(date: ISODate, days: number, extra: ReadonlySet<ISODate> = new Set()): ISODate {
  let day = date;
  if (days === 0) {
    while (!isBankDay(day, extra)) day = addDays(day, 1);
    return day;
  }
  const found = extra.size === 0 ? jump(date, days) : null;
  if (found !== null) return found;
  for (let left = Math.abs(days); left > 0; ) {
    day = addDays(day, Math.sign(days));
    if (isBankDay(day, extra)) left--;
  }
  return day;
}
