/** A day of a calendar, "2026-11-20"; no time and no zone. Days compare as texts. */
export type ISODate = string;

const DAY_MS = 86_400_000;
const toMs = (date: ISODate): number => Date.parse(`${date}T00:00:00Z`);

/** The day of a year, a month from 1 and a day of the month. */
export const toDate = (year: number, month: number, day: number): ISODate =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
/** The year of a day. */
export const yearOf = (date: ISODate): number => Number(date.slice(0, 4));
/** The day so many days later, or earlier where they are negative. */
export const addDays = (date: ISODate, days: number): ISODate =>
  new Date(toMs(date) + days * DAY_MS).toISOString().slice(0, 10);
/** How many days lie from one day to another; negative where the second comes first. */
export const daysBetween = (from: ISODate, to: ISODate): number => Math.round((toMs(to) - toMs(from)) / DAY_MS);
/** 0 is Sunday. */
export const weekdayOf = (date: ISODate): number => new Date(toMs(date)).getUTCDay();
/** Whether a day is a Saturday or a Sunday. */
export const isWeekend = (date: ISODate): boolean => weekdayOf(date) % 6 === 0;

/** Easter Sunday of the Gregorian calendar: the anonymous algorithm of Nature (1876), as Meeus prints it. */
export function easterOf(year: number): ISODate {
  const a = year % 19;
  const [b, c] = [Math.floor(year / 100), year % 100];
  const [d, e] = [Math.floor(b / 4), b % 4];
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const [i, k] = [Math.floor(c / 4), c % 4];
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return toDate(year, Math.floor(n / 31), (n % 31) + 1);
}

/** The n-th such weekday of a month, from 1; -1 is the last. */
export function nthWeekday(year: number, month: number, { weekday, n }: { weekday: number; n: number }): ISODate {
  if (n > 0) {
    const first = toDate(year, month, 1);
    return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + (n - 1) * 7);
  }
  const last = toDate(year, month + 1, 0);
  return addDays(last, -((weekdayOf(last) - weekday + 7) % 7) + (n + 1) * 7);
}

/** The first such weekday on a day or after it. */
export const weekdayFrom = (date: ISODate, weekday: number): ISODate =>
  addDays(date, (weekday - weekdayOf(date) + 7) % 7);

/**
 * The equinoxes of Japan's calendar, 1980 to 2099: the usual approximation of the national observatory's dates, which
 * are law once printed in the gazette of the February before.
 */
export function japaneseEquinox(year: number, which: "vernal" | "autumnal"): ISODate {
  const years = year - 1980;
  const base = which === "vernal" ? 20.8431 : 23.2488;
  const day = Math.floor(base + 0.242194 * years - Math.floor(years / 4));
  return toDate(year, which === "vernal" ? 3 : 9, day);
}
