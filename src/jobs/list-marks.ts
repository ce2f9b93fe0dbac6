import { Cron } from "croner";
import { getPattern, type Schedule } from "./scheduler.ts";

/** When a schedule is due after one moment and before another, ms, in order; no more than `marks_max`. */
export function listMarks(
  schedule: Schedule,
  {
    from_ms,
    to_ms,
    marks_max = Number.POSITIVE_INFINITY,
  }: { readonly from_ms: number; readonly to_ms: number; readonly marks_max?: number },
): readonly number[] {
  const cron = new Cron(getPattern(schedule), { utcOffset: 0, paused: true });
  const marks: number[] = [];
  for (
    let next = cron.nextRun(new Date(from_ms));
    next && next.getTime() < to_ms && marks.length < marks_max;
    next = cron.nextRun(next)
  ) {
    marks.push(next.getTime());
  }
  return marks;
}
