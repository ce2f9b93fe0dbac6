import { addDays, weekdayOf } from "./dates.ts";
import { toInstant, toLocal } from "./zone-time.ts";

export interface FXWeekState {
  readonly is_open: boolean;
  /** When it opens or closes next, ms UTC. */
  readonly changes_ms: number;
}

const ZONE = "America/New_York";
const TURN = "17:00";
const [SUNDAY, FRIDAY] = [0, 5];

/**
 * The week of currency trading: from Sunday 17:00 to Friday 17:00 in New York, which is when dealers count a day as
 * ended. Holidays thin it out and do not close it.
 */
export function getFXWeek(ms: number): FXWeekState {
  const { date } = toLocal(ZONE, ms);
  const sunday = addDays(date, -((weekdayOf(date) - SUNDAY + 7) % 7));
  const [open, close] = [toInstant(ZONE, sunday, TURN), toInstant(ZONE, addDays(sunday, FRIDAY), TURN)];
  if (ms < open) return { is_open: false, changes_ms: open };
  if (ms < close) return { is_open: true, changes_ms: close };
  return { is_open: false, changes_ms: toInstant(ZONE, addDays(sunday, 7), TURN) };
}

/** When currency trading ended last up to a moment, ms UTC: a weekend is an hour longer or shorter twice a year. */
export function getLastFXClose(ms: number): number {
  const { date } = toLocal(ZONE, ms);
  const friday = addDays(date, -((weekdayOf(date) - FRIDAY + 7) % 7));
  const close = toInstant(ZONE, friday, TURN);
  return close <= ms ? close : toInstant(ZONE, addDays(friday, -7), TURN);
}
