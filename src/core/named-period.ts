const DAY_MS = 86_400_000;

/** How a period may be named; days are UTC and part of it. */
export interface PeriodOptions {
  /** First and last day: "2026-11-01". */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly today?: boolean | undefined;
  /** From Monday on. */
  readonly week?: boolean | undefined;
  /** "2026-10" */
  readonly month?: string | undefined;
  /** "2026" */
  readonly year?: string | undefined;
}

export interface NamedPeriod {
  readonly from_ms: number;
  /** Not part of the period. */
  readonly until_ms: number;
}

/** Start of a day in ms, or null when the text is not a calendar day. */
function readDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const start_ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(start_ms) && new Date(start_ms).toISOString().startsWith(text) ? start_ms : null;
}

function readDays(from: string, to: string): NamedPeriod | null {
  const from_ms = readDay(from);
  const last_ms = readDay(to);
  return from_ms === null || last_ms === null || last_ms < from_ms ? null : { from_ms, until_ms: last_ms + DAY_MS };
}

function readMonth(text: string): NamedPeriod | null {
  const from_ms = readDay(`${text}-01`);
  if (from_ms === null) return null;
  const start = new Date(from_ms);
  return { from_ms, until_ms: Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1) };
}

function readYear(text: string): NamedPeriod | null {
  const from_ms = readDay(`${text}-01-01`);
  return from_ms === null ? null : { from_ms, until_ms: Date.UTC(new Date(from_ms).getUTCFullYear() + 1, 0) };
}

/**
 * The period that was named, in exactly one way.
 * @returns null when no period was named, or several were, or the one named is not a period.
 */
export function readPeriod({ from, to, today, week, month, year }: PeriodOptions, now_ms: number): NamedPeriod | null {
  const today_ms = Math.floor(now_ms / DAY_MS) * DAY_MS;
  // 1970-01-01 was a Thursday.
  const monday_ms = today_ms - ((Math.floor(today_ms / DAY_MS) + 3) % 7) * DAY_MS;
  const named = [
    from === undefined && to === undefined ? undefined : readDays(from ?? "", to ?? ""),
    today ? { from_ms: today_ms, until_ms: today_ms + DAY_MS } : undefined,
    week ? { from_ms: monday_ms, until_ms: monday_ms + 7 * DAY_MS } : undefined,
    month === undefined ? undefined : readMonth(month),
    year === undefined ? undefined : readYear(year),
  ].filter((period) => period !== undefined);
  return named.length === 1 ? (named[0] ?? null) : null;
}

/** The running day, week, month or year, as it is named. */
export function nameRunning(period: "today" | "week" | "month" | "year", now_ms: number): PeriodOptions {
  const day = new Date(now_ms).toISOString();
  if (period === "month") return { month: day.slice(0, 7) };
  if (period === "year") return { year: day.slice(0, 4) };
  return period === "today" ? { today: true } : { week: true };
}

export const PERIOD_FAULT =
  "name one period: --today, --week, --month 2026-10, --year 2026, or --from and --to, which are days such as " +
  '"2026-11-01", in this order';
