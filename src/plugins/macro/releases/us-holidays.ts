import { addDays, type ISODate, nthWeekday, toDate, weekdayOf, yearOf } from "intel-node";

const [SUNDAY, MONDAY, THURSDAY, SATURDAY] = [0, 1, 4, 6];

/** A holiday on a Saturday is kept on the Friday before, on a Sunday on the Monday after (5 U.S.C. 6103). */
function keep(date: ISODate): ISODate {
  const weekday = weekdayOf(date);
  return weekday === SATURDAY ? addDays(date, -1) : weekday === SUNDAY ? addDays(date, 1) : date;
}

function lastMondayOfMay(year: number): ISODate {
  const end = toDate(year, 5, 31);
  return addDays(end, -((weekdayOf(end) + 6) % 7));
}

/** The days on which offices of the US government are shut (5 U.S.C. 6103). */
function holidaysOf(year: number): readonly ISODate[] {
  const nth = (month: number, weekday: number, n: number): ISODate => nthWeekday(year, month, { weekday, n });
  return [
    ...[keep(toDate(year, 1, 1)), keep(toDate(year + 1, 1, 1))],
    ...[nth(1, MONDAY, 3), nth(2, MONDAY, 3), lastMondayOfMay(year)],
    ...(year >= 2021 ? [keep(toDate(year, 6, 19))] : []),
    ...[keep(toDate(year, 7, 4)), nth(9, MONDAY, 1), nth(10, MONDAY, 2), keep(toDate(year, 11, 11))],
    ...[nth(11, THURSDAY, 4), keep(toDate(year, 12, 25))],
  ];
}

/** Whether offices of the US government are shut on a day, weekends aside. */
export const isUSHoliday = (date: ISODate): boolean => holidaysOf(yearOf(date)).includes(date);
