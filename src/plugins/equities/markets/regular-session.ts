import { type Calendar, toLocal } from "intel-node";

/** The trading day a share's price belongs to. */
interface TradingDay {
  readonly date: string;
  readonly open_ms: number;
  /** The first moment after the regular session; 13:00 in New York on half days. */
  readonly close_ms: number;
}

/** A day's regular session, its lunch break included; null when nothing trades on that day. */
export function findTradingDay(calendar: Calendar, date: string): TradingDay | null {
  const sessions = calendar.sessionsOf(date);
  const [first, last] = [sessions[0], sessions.at(-1)];
  return first && last ? { date, open_ms: first.open_ms, close_ms: last.close_ms } : null;
}

/** The session before a day's; null past the longest time an exchange was ever closed. */
export function findSessionBefore(calendar: Calendar, date: string): TradingDay | null {
  const before = calendar.previousTradingDay(date);
  return before === null ? null : findTradingDay(calendar, before);
}

/** The session of a day, or the last one before it when nothing trades on it: a Saturday's is Friday's. */
export const findSessionOf = (calendar: Calendar, date: string): TradingDay | null =>
  findTradingDay(calendar, date) ?? findSessionBefore(calendar, date);

/** The session that runs at a moment, else the last one that began before it. */
export function findSessionAt(calendar: Calendar, ms: number): TradingDay | null {
  const { date } = toLocal(calendar.zone, ms);
  const today = findTradingDay(calendar, date);
  return today && today.open_ms <= ms ? today : findSessionBefore(calendar, date);
}

/** Whether a moment is in the regular session of its day; the close itself is. */
export function isInSession(calendar: Calendar, ms: number): boolean {
  const day = findTradingDay(calendar, toLocal(calendar.zone, ms).date);
  return day !== null && ms >= day.open_ms && ms <= day.close_ms;
}
