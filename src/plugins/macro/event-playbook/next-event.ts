import { toInstant } from "intel-node";
import { estimateCpiRelease, estimateJobsRelease } from "../shared/release-rules.ts";
import { type EventId, getEvent, getEventKind, getEventTime } from "./events.ts";

const MONTHS_AHEAD = 3;

export interface NextEvent {
  readonly at_ms: number;
  readonly status: "scheduled" | "estimated";
}

/** The next event after a moment: of the table, else by the publisher's rule; null for meetings past the table. */
export function estimateNext(event: EventId, now_ms: number): NextEvent | null {
  const { zone, time } = getEventKind(event);
  const { dates } = getEvent(event);
  const listed = dates.map((date) => getEventTime(event, date)).find((at_ms) => at_ms > now_ms);
  if (listed !== undefined) return { at_ms: listed, status: "scheduled" };
  const last = dates.at(-1) ?? "";
  const now = new Date(now_ms);
  const rule = { fomc: null, ecb: null, cpi: estimateCpiRelease, nfp: estimateJobsRelease }[event];
  if (!rule) return null;
  for (let ahead = -1; ahead < MONTHS_AHEAD; ahead += 1) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    const date = rule(month.getUTCFullYear(), month.getUTCMonth() + 1);
    const at_ms = toInstant(zone, date, time);
    if (at_ms > now_ms && date > last) return { at_ms, status: "estimated" };
  }
  return null;
}
