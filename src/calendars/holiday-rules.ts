import {
  addDays,
  easterOf,
  type ISODate,
  isWeekend,
  japaneseEquinox,
  nthWeekday,
  toDate,
  weekdayFrom,
  weekdayOf,
} from "./dates.ts";
import type { YearDays } from "./types.ts";

/** The days of one year by one rule; none in years in which it does not hold. */
export type HolidayRule = (year: number) => readonly ISODate[];

/** What becomes of a holiday at a weekend. */
export type WeekendRule = "stays" | "next_monday" | "sunday_to_monday" | "nearest_weekday";

function shift(date: ISODate, rule: WeekendRule): ISODate {
  const weekday = weekdayOf(date);
  if (weekday === 6 && rule === "nearest_weekday") return addDays(date, -1);
  if (weekday === 6 && rule === "next_monday") return addDays(date, 2);
  if (weekday === 0 && rule !== "stays") return addDays(date, 1);
  return date;
}

export const fixed =
  (month: number, day: number, weekend: WeekendRule = "stays"): HolidayRule =>
  (year) => [shift(toDate(year, month, day), weekend)];

export const easter =
  (...offsets: readonly number[]): HolidayRule =>
  (year) =>
    offsets.map((offset) => addDays(easterOf(year), offset));

export const GOOD_FRIDAY = easter(-2);
export const EASTER_MONDAY = easter(1);

export const nth =
  (month: number, weekday: number, n: number): HolidayRule =>
  (year) => [nthWeekday(year, month, { weekday, n })];

/** The first such weekday from a day on: "the Monday from 18 May on". */
export const from =
  (month: number, day: number, weekday: number): HolidayRule =>
  (year) => [weekdayFrom(toDate(year, month, day), weekday)];

export const since =
  (first_year: number, rule: HolidayRule): HolidayRule =>
  (year) =>
    year >= first_year ? rule(year) : [];

/** Days that were closed once. */
export const once =
  (...dates: readonly ISODate[]): HolidayRule =>
  (year) =>
    dates.filter((date) => date.startsWith(`${year}-`));

/** Not on these days, although a rule says so. */
export const except =
  (rule: HolidayRule, ...dates: readonly ISODate[]): HolidayRule =>
  (year) =>
    rule(year).filter((date) => !dates.includes(date));

/** Christmas and the day after; what falls on a weekend moves to the weekdays that follow. */
export const CHRISTMAS_TWO_DAYS: HolidayRule = (year) => {
  const days = [toDate(year, 12, 25), toDate(year, 12, 26)];
  const kept = days.filter((date) => !isWeekend(date));
  let next = toDate(year, 12, 27);
  while (kept.length < 2) {
    if (!isWeekend(next)) kept.push(next);
    next = addDays(next, 1);
  }
  return kept;
};

/**
 * Japan: a holiday on a Sunday moves to the next day that is not one, and a day between two holidays is one (Act on
 * National Holidays, article 3).
 */
export const japanese =
  (...rules: readonly HolidayRule[]): HolidayRule =>
  (year) => {
    const days = new Set(rules.flatMap((rule) => rule(year)));
    for (const date of [...days]) {
      if (weekdayOf(date) !== 0) continue;
      let next = addDays(date, 1);
      while (days.has(next)) next = addDays(next, 1);
      days.add(next);
    }
    for (const date of [...days]) {
      const between = addDays(date, 1);
      if (!days.has(between) && days.has(addDays(date, 2)) && weekdayOf(between) !== 0) days.add(between);
    }
    return [...days];
  };
export const VERNAL_EQUINOX: HolidayRule = (year) => [japaneseEquinox(year, "vernal")];
export const AUTUMNAL_EQUINOX: HolidayRule = (year) => [japaneseEquinox(year, "autumnal")];

const isDateOf =
  (year: number) =>
  (date: ISODate): boolean =>
    date.startsWith(`${year}-`) && !isWeekend(date);

/** The last day that trades before a day. */
const lastBefore = (date: ISODate, closed: ReadonlySet<ISODate>): ISODate => {
  let day = addDays(date, -1);
  while (isWeekend(day) || closed.has(day)) day = addDays(day, -1);
  return day;
};

/** Which days end early: fixed rules, and the last days before others, whichever they are. */
export interface EarlyRule {
  readonly time: string;
  readonly days?: HolidayRule;
  /** The last trading day before these ("12-25"); a plain day that does not trade ends nothing early. */
  readonly last_before?: readonly string[];
}

export function daysByRules(rules: readonly HolidayRule[], early_rules: readonly EarlyRule[] = []) {
  return (year: number): YearDays => {
    const closed = new Set(rules.flatMap((rule) => rule(year)).filter(isDateOf(year)));
    const early = new Map<ISODate, string>();
    for (const { time, days, last_before = [] } of early_rules) {
      const listed = [
        ...(days?.(year) ?? []),
        ...last_before.map((day) => lastBefore(day === "01-01" ? `${year + 1}-01-01` : `${year}-${day}`, closed)),
      ];
      for (const date of listed.filter(isDateOf(year))) if (!closed.has(date)) early.set(date, time);
    }
    return { closed, early };
  };
}
