import { Cron } from "croner";
import { getPattern, type Schedule } from "./scheduler.ts";

/** When a schedule comes round after one moment and before another, ms, in order. */
export function listMarks(
  schedule: Schedule,
  { from_ms, to_ms }: { readonly from_ms: number; readonly to_ms: number },
): readonly number[] {
  const cron = new Cron(getPattern(schedule), { utcOffset: 0, paused: true });
  const marks: number[] = [];
  for (let next = cron.nextRun(new Date(from_ms)); next && next.getTime() < to_ms; next = cron.nextRun(next)) {
    marks.push(next.getTime());
  }
  return marks;
}
