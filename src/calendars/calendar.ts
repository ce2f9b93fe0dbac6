import { addDays, daysBetween, type ISODate, isWeekend, yearOf } from "./dates.ts";
import { EXCHANGES } from "./exchanges.ts";
import type { CalendarChanges, Confidence, Exchange, PublishedYear, SessionHours, YearDays } from "./types.ts";
import { toInstant, toLocal } from "./zone-time.ts";

/** A stretch of trading, ms UTC; the end is the first moment without it. */
export interface Session {
  readonly open_ms: number;
  readonly close_ms: number;
}

export type MarketStatus = "pre" | "open" | "lunch" | "post" | "closed" | "holiday";

/** The state of an exchange's day at one moment. */
export interface SessionState {
  readonly status: MarketStatus;
  /** The next moment at which trading begins, the afternoon's not counted; null past the end of the table. */
  readonly next_open_ms: number | null;
  /** The end of this trading day while it lasts, else of the next one. */
  readonly next_close_ms: number | null;
  readonly confidence: Confidence;
}

/** A table that ends soon, or has ended. */
export interface CalendarEnd {
  readonly mic: string;
  readonly last_day: ISODate;
  /** Negative when it has ended. */
  readonly days_left: number;
}

/** The trading days and hours of one exchange. */
export interface Calendar {
  readonly mic: string;
  readonly zone: string;
  /** The last day that the exchange's own list covers. */
  readonly last_day: ISODate;
  /** The last day of which more is known than that it is no weekend. */
  readonly last_rule_day: ISODate;
  isTradingDay(date: ISODate): boolean;
  /** How sure that is; null before the first year anything is known of. */
  confidenceOf(date: ISODate): Confidence | null;
  /** The sessions of a local day in order; none on a day without trading. */
  sessionsOf(date: ISODate): readonly Session[];
  nextTradingDay(date: ISODate): ISODate | null;
  previousTradingDay(date: ISODate): ISODate | null;
  /** Trading days from the first day on, up to and without the second. */
  countTradingDays(from: ISODate, to: ISODate): number;
  stateAt(ms: number): SessionState;
  /** From 60 days before the end of the table on; else null. */
  findEnd(now_ms: number): CalendarEnd | null;
}

const WARN_DAYS = 60;
/** Longer than any exchange was ever closed. */
const CLOSED_DAYS_MAX = 30;

const readDates = (year: number, text: string): ISODate[] =>
  text.split(" ").flatMap((day) => (day === "" ? [] : [`${year}-${day}`]));

function readPublished({ year, closed, early = "" }: PublishedYear): YearDays {
  const [time = "", ...days] = early.split(" ");
  return {
    closed: new Set(readDates(year, closed)),
    early: new Map(readDates(year, days.join(" ")).map((date) => [date, time])),
  };
}

/** What is known of each year, looked up once. */
function createYears(exchange: Exchange) {
  const published = new Map(exchange.published.map((year) => [year.year, readPublished(year)]));
  const by_rule = new Map<number, YearDays>();
  const { rule } = exchange;
  return {
    last_published: Math.max(0, ...published.keys()),
    confidenceOf(year: number): Confidence {
      if (published.has(year)) return "published";
      return rule && year >= rule.first_year && year <= rule.last_year ? "rule" : "weekday_only";
    },
    daysOf(year: number): YearDays | undefined {
      const known = published.get(year) ?? by_rule.get(year);
      if (known || !rule || year < rule.first_year || year > rule.last_year) return known;
      const days = rule.daysOf(year);
      by_rule.set(year, days);
      return days;
    },
  };
}

/** Cuts the hours of a day that ends early. */
const endAt = (sessions: readonly SessionHours[], time: string): readonly SessionHours[] =>
  sessions.flatMap(([open, close]): SessionHours[] => (open < time ? [[open, close < time ? close : time]] : []));

/** The calendar of an exchange, with an operator's changes. All days are local ones, all moments UTC. */
export function createCalendar(exchange: Exchange, changes: CalendarChanges = {}): Calendar {
  const { mic, zone, rule, extended } = exchange;
  const years = createYears(exchange);
  const [closed, open] = [new Set(changes.closed), new Set(changes.open)];
  const early = new Map(Object.entries(changes.early ?? {}));
  const special = new Map((exchange.special ?? []).map(({ date, sessions }) => [date, sessions]));
  // Without its own list an exchange is covered as far as its rule.
  const covered = years.last_published || rule?.last_year || 0;
  const last_day = [`${covered}-12-31`, changes.last_day ?? ""].sort().at(-1) ?? "";
  const last_rule_day = [`${Math.max(covered, rule?.last_year ?? 0)}-12-31`, last_day].sort().at(-1) ?? last_day;

  function isTradingDay(date: ISODate): boolean {
    if (open.has(date)) return true;
    return !isWeekend(date) && !closed.has(date) && !years.daysOf(yearOf(date))?.closed.has(date);
  }

  function hoursOf(date: ISODate): readonly SessionHours[] {
    const regular = exchange.hours.filter(({ since }) => since <= date).at(-1)?.sessions ?? [];
    const hours = special.get(date) ?? exchange.specialOf?.(date) ?? regular;
    const end = early.get(date) ?? years.daysOf(yearOf(date))?.early.get(date);
    return end === undefined ? hours : endAt(hours, end);
  }

  function sessionsOf(date: ISODate): readonly Session[] {
    if (!isTradingDay(date)) return [];
    return hoursOf(date).map(([from, to]) => ({
      open_ms: toInstant(zone, date, from),
      close_ms: toInstant(zone, date, to),
    }));
  }

  /** The nearest trading day in a direction, the day itself not counted. */
  function step(date: ISODate, by: 1 | -1): ISODate | null {
    let day = date;
    for (let days = 0; days < CLOSED_DAYS_MAX; days++) {
      day = addDays(day, by);
      if (isTradingDay(day)) return day;
    }
    return null;
  }

  function confidenceOf(date: ISODate): Confidence | null {
    if (changes.last_day !== undefined && date <= changes.last_day && date > `${covered}-12-31`) return "published";
    const known = years.confidenceOf(yearOf(date));
    return known === "weekday_only" && date < `${covered}-01-01` ? null : known;
  }

  /** Trading around regular hours; only where the exchange has such. */
  function extendedStatus(date: ISODate, ms: number, { open_ms, close_ms }: Session): MarketStatus {
    if (!extended) return "closed";
    const is_early = hoursOf(date).at(-1)?.[1] !== exchange.hours.at(-1)?.sessions.at(-1)?.[1];
    if (ms < open_ms) return ms >= toInstant(zone, date, extended.pre) ? "pre" : "closed";
    const end = toInstant(zone, date, is_early ? extended.post_early : extended.post);
    return ms >= close_ms && ms < end ? "post" : "closed";
  }

  function statusAt(date: ISODate, ms: number, sessions: readonly Session[]): MarketStatus {
    const [first, last] = [sessions[0], sessions.at(-1)];
    if (!first || !last) return isWeekend(date) ? "closed" : "holiday";
    if (sessions.some(({ open_ms, close_ms }) => ms >= open_ms && ms < close_ms)) return "open";
    if (ms >= first.open_ms && ms < last.close_ms) return "lunch";
    return extendedStatus(date, ms, { open_ms: first.open_ms, close_ms: last.close_ms });
  }

  return {
    mic,
    zone,
    last_day,
    last_rule_day,
    isTradingDay,
    confidenceOf,
    sessionsOf,
    nextTradingDay: (date) => step(date, 1),
    previousTradingDay: (date) => step(date, -1),
    countTradingDays(from, to) {
      let count = 0;
      for (let date = from; date < to; date = addDays(date, 1)) if (isTradingDay(date)) count++;
      return count;
    },
    stateAt(ms) {
      const { date } = toLocal(zone, ms);
      const sessions = sessionsOf(date);
      const next = step(date, 1);
      const following = next === null ? [] : sessionsOf(next);
      const [first, last] = [sessions[0], sessions.at(-1)];
      return {
        status: statusAt(date, ms, sessions),
        next_open_ms: (first && ms < first.open_ms ? first : following[0])?.open_ms ?? null,
        next_close_ms: (last && ms < last.close_ms ? last : following.at(-1))?.close_ms ?? null,
        confidence: confidenceOf(date) ?? "weekday_only",
      };
    },
    findEnd(now_ms) {
      const days_left = daysBetween(toLocal(zone, now_ms).date, last_day);
      return days_left > WARN_DAYS ? null : { mic, last_day, days_left };
    },
  };
}

/** An exchange by its code in any case, or undefined. */
export const findExchange = (mic: string): Exchange | undefined =>
  EXCHANGES.find((exchange) => exchange.mic === mic.toUpperCase());
