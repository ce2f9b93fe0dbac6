import { toInstant } from "intel-node";
import { RELEASE_RULES } from "../releases/release-rules.ts";
import { type DatedEvent, type EventId, getEventKind } from "./events.ts";

const MONTHS_AHEAD = 3;

export interface NextEvent {
  readonly at_ms: number;
  readonly status: "scheduled" | "estimated";
}

type Rule = (year: number, month: number) => string;
/** Publishers' rules for the day of a month; the other events follow no rule. */
const RULES: Partial<Record<EventId, Rule>> = {
  cpi: RELEASE_RULES.cpi.dayOf,
  nfp: RELEASE_RULES.jobs.dayOf,
  ppi: RELEASE_RULES.ppi.dayOf,
};

/** The next event after a moment: a known one, else by the publisher's rule; null where neither says anything. */
export function estimateNext(event: EventId, events: readonly DatedEvent[], now_ms: number): NextEvent | null {
  const { zone, time } = getEventKind(event);
  const listed = events.find(({ at_ms }) => at_ms > now_ms);
  if (listed) return { at_ms: listed.at_ms, status: "scheduled" };
  const last = events.at(-1)?.date ?? "";
  const now = new Date(now_ms);
  const rule = RULES[event];
  if (!rule) return null;
  for (let ahead = -1; ahead < MONTHS_AHEAD; ahead += 1) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1));
    const date = rule(month.getUTCFullYear(), month.getUTCMonth() + 1);
    const at_ms = toInstant(zone, date, time);
    if (at_ms > now_ms && date > last) return { at_ms, status: "estimated" };
  }
  return null;
}
