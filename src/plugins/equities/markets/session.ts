import { type Static, Type } from "@sinclair/typebox";
import {
  type Calendar,
  type CalendarChanges,
  closed,
  createCalendar,
  type FetchContext,
  findExchange,
  nullable,
  oneOf,
  renderTime,
  type SessionState,
} from "intel-node";
import { config } from "../config.ts";

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
export type SessionData = Static<typeof SessionSchema>;

const calendars = new Map<string, Calendar>();

/** What an operator's lines change of one exchange: "XHKG 2026-09-08 closed". */
function readChanges(mic: string, holidays: readonly string[]): CalendarChanges {
  const days = holidays.map((line) => line.split(" ")).filter(([of]) => of === mic);
  const of = (what: string): string[] => days.flatMap(([, day = "", how]) => (how === what ? [day] : []));
  const early = days.flatMap(([, day = "", how = ""]) => (how.includes(":") ? [[day, how] as const] : []));
  const last_day = of("last").toSorted().at(-1);
  return {
    closed: of("closed"),
    open: of("open"),
    early: Object.fromEntries(early),
    ...(last_day === undefined ? {} : { last_day }),
  };
}

/**
 * The calendar of an exchange by its MIC, with the operator's own days; each made once.
 * @param holidays `[plugins.equities] holidays`.
 * @throws RangeError for a code of no known exchange.
 */
export function getCalendar(mic: string, holidays: readonly string[] = []): Calendar {
  const own = holidays.filter((line) => line.startsWith(`${mic} `));
  const name = [mic, ...own].join("\n");
  const known = calendars.get(name);
  if (known) return known;
  const exchange = findExchange(mic);
  if (!exchange) throw new RangeError(`no calendar of ${mic}`);
  const made = createCalendar(exchange, readChanges(mic, own));
  calendars.set(name, made);
  return made;
}

/** An exchange and what the operator changed of its days: all that its calendar is made of. Inputs hold this. */
export interface ExchangeDays {
  readonly mic: string;
  /** Lines of `[plugins.equities] holidays` about this exchange. */
  readonly own: readonly string[];
}

/** An exchange with the days of this node's configuration. */
export const readDays = (context: Pick<FetchContext, "config">, mic: string): ExchangeDays => ({
  mic,
  own: context.config(config).holidays.filter((line) => line.startsWith(`${mic} `)),
});

export const calendarOf = ({ mic, own }: ExchangeDays): Calendar => getCalendar(mic, own);

/** The calendar with the days of this node's configuration. */
export const readCalendar = (context: Pick<FetchContext, "config">, mic: string): Calendar =>
  calendarOf(readDays(context, mic));

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : renderTime(ms));

export const describeSession = ({ status, next_open_ms, next_close_ms, confidence }: SessionState): SessionData => ({
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
