import { Cron } from "croner";
import { DURATION_PATTERN, parseDuration } from "../core/duration.ts";
import { messageOf, NodeError } from "../core/errors.ts";

/** When a watch looks. */
export type Cadence =
  | { readonly every_ms: number }
  /** A cron pattern of five fields in a time zone, by its IANA name. */
  | { readonly cron: string; readonly time_zone: string };

/** No watch looks more often, whatever its product. */
const LEAST_MS = 10_000;
const EVERY_MS_MAX = 366 * 86_400_000;
/** So many marks of a pattern are looked at for how close two of them are. */
const MARKS_LOOKED_AT = 24;
const MARKS_COUNTED = 200;
/** More marks that were slept through are not counted. */
const MISSED_MAX = 10_000;

const refuse = (param: string, message: string): NodeError =>
  new NodeError("invalid_parameter", `${param}: ${message} Nothing was charged.`, {
    param,
    details: {
      parameter: param,
      allowed: '"every": "15m", or "cron": "0 7 * * 1-5" with "time_zone": "America/Sao_Paulo"',
    },
  });

interface GivenCadence {
  readonly every?: string | undefined;
  readonly cron?: string | undefined;
  readonly time_zone?: string | undefined;
}

/**
 * Reads when a watch shall look. An answer is sold again for as long as it is fresh: looking sooner tells nothing new.
 * @param ttl_ms how long an answer of the product is fresh, ms.
 * @throws NodeError invalid_parameter
 */
export function readCadence(
  { every, cron, time_zone }: GivenCadence,
  { ttl_ms, now_ms }: { readonly ttl_ms: number; readonly now_ms: number },
): Cadence {
  const least_ms = Math.max(LEAST_MS, ttl_ms);
  if ((every === undefined) === (cron === undefined)) throw refuse("every", 'say "every" or "cron", and only one.');
  if (every !== undefined) {
    if (time_zone !== undefined) throw refuse("time_zone", 'goes with "cron".');
    if (!new RegExp(DURATION_PATTERN).test(every)) throw refuse("every", 'is such as "15m".');
    const every_ms = parseDuration(every);
    if (every_ms < least_ms) throw refuse("every", `is at least ${least_ms / 1000}s: an answer is fresh that long.`);
    if (every_ms > EVERY_MS_MAX) throw refuse("every", "is a year at most.");
    return { every_ms };
  }
  const cadence = { cron: cron ?? "", time_zone: time_zone ?? "UTC" };
  const gap_ms = findLeastGap(cadence, now_ms);
  if (gap_ms < least_ms) throw refuse("cron", `marks lie ${gap_ms / 1000} s apart: ${least_ms / 1000} s at least.`);
  return cadence;
}

function findLeastGap({ cron, time_zone }: Extract<Cadence, { readonly cron: string }>, now_ms: number): number {
  if (cron.trim().split(/\s+/).length !== 5) throw refuse("cron", "has five fields: minute hour day month weekday.");
  let marks: readonly Date[];
  try {
    marks = new Cron(cron, { timezone: time_zone, mode: "5-part" }).nextRuns(MARKS_LOOKED_AT, new Date(now_ms));
  } catch (error) {
    throw refuse("cron", `cannot be read (${messageOf(error).slice(0, 200)}).`);
  }
  if (marks.length === 0) throw refuse("cron", "never comes again.");
  const gaps = marks.slice(1).map((mark, index) => mark.getTime() - (marks[index]?.getTime() ?? 0));
  return Math.min(Number.POSITIVE_INFINITY, ...gaps);
}

/** The first mark after a moment, ms; null where a pattern never comes again. */
export function nextMark(cadence: Cadence, after_ms: number): number | null {
  if ("every_ms" in cadence) return after_ms + cadence.every_ms;
  return (
    new Cron(cadence.cron, { timezone: cadence.time_zone, mode: "5-part" }).nextRun(new Date(after_ms))?.getTime() ??
    null
  );
}

/** What follows a mark that is worked on late: the next one to come, and how many were slept through in between. */
export function markAfter(
  cadence: Cadence,
  { mark_ms, now_ms }: { readonly mark_ms: number; readonly now_ms: number },
): { readonly next_ms: number | null; readonly missed: number } {
  if ("every_ms" in cadence) {
    const missed = Math.max(0, Math.floor((now_ms - mark_ms) / cadence.every_ms));
    return { next_ms: mark_ms + (missed + 1) * cadence.every_ms, missed };
  }
  const cron = new Cron(cadence.cron, { timezone: cadence.time_zone, mode: "5-part" });
  let missed = 0;
  let mark = cron.nextRun(new Date(mark_ms));
  while (mark !== null && mark.getTime() <= now_ms && missed < MISSED_MAX) {
    missed += 1;
    mark = cron.nextRun(mark);
  }
  if (mark !== null && mark.getTime() <= now_ms) mark = cron.nextRun(new Date(now_ms));
  return { next_ms: mark?.getTime() ?? null, missed };
}

/** About how many marks a span of time has: of a pattern with many the first ones are counted. */
export function estimateMarks(
  cadence: Cadence,
  { from_ms, to_ms }: { readonly from_ms: number; readonly to_ms: number },
): number {
  const span_ms = Math.max(0, to_ms - from_ms);
  if ("every_ms" in cadence) return Math.floor(span_ms / cadence.every_ms) + 1;
  const cron = new Cron(cadence.cron, { timezone: cadence.time_zone, mode: "5-part" });
  let last_ms = from_ms;
  for (let marks = 0; marks < MARKS_COUNTED; marks += 1) {
    const next_ms = cron.nextRun(new Date(last_ms))?.getTime() ?? Number.POSITIVE_INFINITY;
    if (next_ms > to_ms) return marks;
    last_ms = next_ms;
  }
  return Math.round((MARKS_COUNTED * span_ms) / (last_ms - from_ms));
}
