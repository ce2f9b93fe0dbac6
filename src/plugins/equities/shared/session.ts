import { type Static, Type } from "@sinclair/typebox";
import {
  type Calendar,
  closed,
  createCalendar,
  findExchange,
  nullable,
  oneOf,
  renderTime,
  type SessionState,
} from "intel-node";

export const SessionSchema = Type.Object(
  {
    status: oneOf(
      ["pre", "open", "lunch", "post", "closed", "holiday"],
      "By the exchange's calendar: pre, open, lunch, post, closed or holiday.",
    ),
    next_open: nullable(Type.String(), "Next time trading begins, ISO 8601 UTC; null past the end of the calendar."),
    next_close: nullable(
      Type.String(),
      "End of this trading day while it lasts, else of the next one, ISO 8601 UTC; null past the end of the calendar.",
    ),
    calendar_confidence: oneOf(
      ["published", "rule", "weekday_only"],
      "published: the exchange's list of the year; rule: its rule for holidays; weekday_only: holidays are not known.",
    ),
  },
  { ...closed, description: "When the exchange trades." },
);
export type Session = Static<typeof SessionSchema>;

const calendars = new Map<string, Calendar>();

/** The calendar of an exchange by its MIC, made once. @throws RangeError for a code of no known exchange. */
export function getCalendar(mic: string): Calendar {
  const known = calendars.get(mic);
  if (known) return known;
  const exchange = findExchange(mic);
  if (!exchange) throw new RangeError(`no calendar of ${mic}`);
  const made = createCalendar(exchange);
  calendars.set(mic, made);
  return made;
}

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : renderTime(ms));

export const describeSession = ({ status, next_open_ms, next_close_ms, confidence }: SessionState): Session => ({
  status,
  next_open: timeOrNull(next_open_ms),
  next_close: timeOrNull(next_close_ms),
  calendar_confidence: confidence,
});

/** What has to be said when the calendar's table ends soon, or has ended; nothing before. */
export function warnOfEnd(calendar: Calendar, now_ms: number): readonly string[] {
  const end = calendar.findEnd(now_ms);
  if (!end) return [];
  const when = end.days_left < 0 ? `ended on ${end.last_day}` : `ends on ${end.last_day}`;
  return [`session: the table of holidays of ${end.mic} ${when}; later holidays are by rule or not known`];
}
