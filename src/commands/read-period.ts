const DAY_MS = 86_400_000;

/** Start of a day in ms, or null when the text is no day of the calendar. */
function readDay(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const start_ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(start_ms) && new Date(start_ms).toISOString().startsWith(text) ? start_ms : null;
}

/** The first and the last day, UTC, both part of the period; null when they are no days or in a wrong order. */
export function readPeriod({ from, to }: { readonly from: string; readonly to: string }) {
  const from_ms = readDay(from);
  const last_ms = readDay(to);
  return from_ms === null || last_ms === null || last_ms < from_ms ? null : { from_ms, until_ms: last_ms + DAY_MS };
}

export const PERIOD_FAULT = '--from and --to are days such as "2026-11-01", in this order';
