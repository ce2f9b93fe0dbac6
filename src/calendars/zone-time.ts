import { addDays, type ISODate } from "./dates.ts";

/** A time of day, "09:30". */
export type TimeOfDay = string;

export interface LocalTime {
  readonly date: ISODate;
  readonly time: TimeOfDay;
  /** Minutes since midnight, seconds cut off. */
  readonly minutes: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const formats = new Map<string, Intl.DateTimeFormat>();
/** Daily histories are read again and again, and what clocks show takes some 20 microseconds to ask. */
const instants = new Map<string, number>();
const INSTANTS_MAX = 40_000;

/** Made once per zone: making one costs a thousand times what using it does. */
function getFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    calendar: "gregory",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  formats.set(zone, made);
  return made;
}

/** What clocks show in a zone of the IANA database. @throws RangeError for an unknown zone. */
export function toLocal(zone: string, ms: number): LocalTime {
  const parts = new Map(
    getFormat(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? "";
  const time = `${part("hour")}:${part("minute")}`;
  const minutes = Number(part("hour")) * 60 + Number(part("minute"));
  return { date: `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`, time, minutes };
}

/** How far a zone is ahead of UTC at a moment, in ms. */
function offsetAt(zone: string, ms: number): number {
  const { date, time } = toLocal(zone, ms);
  return Date.parse(`${date}T${time}:00Z`) - Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}

/**
 * The moment at which clocks of a zone show a time. A time that summer time skips is as far after the jump as it lies
 * in the gap (02:30 is 03:30); of a time that comes twice it is the first.
 */
export function toInstant(zone: string, date: ISODate, time: TimeOfDay): number {
  const key = `${zone} ${date} ${time}`;
  const known = instants.get(key);
  if (known !== undefined) return known;
  const found = findInstant(zone, date, time);
  if (instants.size >= INSTANTS_MAX) instants.clear();
  instants.set(key, found);
  return found;
}

function findInstant(zone: string, date: ISODate, time: TimeOfDay): number {
  const wall = Date.parse(`${date}T${time}:00Z`);
  // No zone changes twice within two days, so one of the two offsets around the moment is its own.
  const [before, after] = [offsetAt(zone, wall - 24 * HOUR_MS), offsetAt(zone, wall + 24 * HOUR_MS)];
  if (before === after) return wall - before;
  const candidates = [wall - before, wall - after].filter((ms) => offsetAt(zone, ms) === wall - ms);
  return candidates.length > 0 ? Math.min(...candidates) : wall - before;
}

export interface DailyTime {
  readonly zone: string;
  readonly time: TimeOfDay;
  /** Which days count; all when left out. */
  readonly isDay?: (date: ISODate) => boolean;
}

/** A year of days without one that counts is no schedule. */
const DAYS_MAX = 400;

/**
 * The first moment after `after_ms` at which a local time of day comes: for jobs on exchange time, whose next start is
 * worked out in UTC instead of leaving zones to a scheduler.
 */
export function nextInstant({ zone, time, isDay = () => true }: DailyTime, after_ms: number): number | null {
  let { date } = toLocal(zone, after_ms);
  for (let days = 0; days < DAYS_MAX; days++) {
    if (isDay(date)) {
      const instant = toInstant(zone, date, time);
      if (instant > after_ms) return instant;
    }
    date = addDays(date, 1);
  }
  return null;
}
