import { addDays, defineSimulator, type ISODate, isWeekend, toDate, weekdayOf } from "intel-node";
import { estimateCpiRelease, estimateJobsRelease } from "../../releases/release-rules.ts";
import { FRED_RELEASES } from "./calendar.ts";
import { fredApi } from "./provider.ts";

const FIRST_YEAR = 2015;
const [THURSDAY, MONTHS_AHEAD] = [4, 6];

/** The day itself, or the Monday after a weekend. */
function workday(date: ISODate): ISODate {
  return isWeekend(date) ? workday(addDays(date, 1)) : date;
}
const RULES: Readonly<Record<number, (year: number, month: number) => ISODate>> = {
  [FRED_RELEASES.cpi]: estimateCpiRelease,
  [FRED_RELEASES.jobs]: estimateJobsRelease,
  [FRED_RELEASES.ppi]: (year, month) => addDays(estimateCpiRelease(year, month), 1),
  [FRED_RELEASES.gdp]: (year, month) => workday(toDate(year, month, 26)),
  [FRED_RELEASES.pce]: (year, month) => workday(toDate(year, month, 27)),
  [FRED_RELEASES.retail]: (year, month) => workday(toDate(year, month, 15)),
};

function listDays(id: number, last: ISODate): readonly ISODate[] {
  const days: ISODate[] = [];
  if (id === FRED_RELEASES.claims) {
    const first = toDate(FIRST_YEAR, 1, 1);
    const thursday = addDays(first, (THURSDAY - weekdayOf(first) + 7) % 7);
    for (let day = thursday; day <= last; day = addDays(day, 7)) days.push(day);
    return days;
  }
  const rule = RULES[id];
  for (let month = 1; rule && (days.at(-1) ?? "") < last; month += 1) {
    const first = toDate(FIRST_YEAR, month, 1);
    days.push(rule(Number(first.slice(0, 4)), Number(first.slice(5, 7))));
  }
  return days;
}

/** Years of releases by the rules they follow, newest first, half a year ahead. */
export const simulator = defineSimulator({
  provider: fredApi.id,
  respond({ path, query }, world) {
    if (path !== "/fred/release/dates") return { status: 404, json: { error_code: 404, error_message: "Not Found." } };
    const id = Number(query.get("release_id"));
    const now = new Date(world.now());
    const days = listDays(id, toDate(now.getUTCFullYear(), now.getUTCMonth() + 1 + MONTHS_AHEAD, 1));
    if (days.length === 0) {
      return { status: 400, json: { error_code: 400, error_message: "Bad Request. The release does not exist." } };
    }
    const release_dates = days.toReversed().map((date) => ({ release_id: id, date }));
    const [count, limit] = [release_dates.length, Number(query.get("limit") ?? "1000")];
    return {
      json: {
        realtime_start: "1776-07-04",
        realtime_end: "9999-12-31",
        order_by: "release_date",
        sort_order: "desc",
        count,
        offset: 0,
        limit,
        release_dates: release_dates.slice(0, limit),
      },
    };
  },
});
