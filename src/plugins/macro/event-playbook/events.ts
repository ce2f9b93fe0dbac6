import { toInstant } from "intel-node";
import {
  CPI_DATES,
  ECB_DATES,
  ECB_EXCLUDED,
  ECB_LATER_SINCE,
  FOMC_DATES,
  FOMC_EXCLUDED,
  JOBS_DATES,
} from "../shared/event-dates.ts";
import { getKind, type KindId } from "../shared/kinds.ts";

export const EVENTS = ["fomc", "cpi", "nfp", "ecb"] as const;
export type EventId = (typeof EVENTS)[number];
/** Other words for them. */
export const ALIASES: Readonly<Record<string, EventId>> = { jobs: "nfp", payrolls: "nfp" };

export interface StudiedEvent {
  readonly kind: KindId;
  /** Days of past and known coming events, oldest first. */
  readonly dates: readonly string[];
  readonly excluded: readonly { readonly date: string; readonly reason: string }[];
  /** Local time of one event, where it was not always the usual one. */
  readonly timeOf?: (date: string) => string;
}

const STUDIED: Readonly<Record<EventId, StudiedEvent>> = {
  fomc: { kind: "fomc", dates: FOMC_DATES, excluded: FOMC_EXCLUDED },
  cpi: { kind: "cpi", dates: CPI_DATES, excluded: [] },
  nfp: { kind: "jobs", dates: JOBS_DATES, excluded: [] },
  ecb: {
    ...{ kind: "ecb", dates: ECB_DATES, excluded: ECB_EXCLUDED },
    timeOf: (date) => (date < ECB_LATER_SINCE ? "13:45" : "14:15"),
  },
};

export const getEvent = (id: EventId): StudiedEvent => STUDIED[id];
export const getEventKind = (id: EventId) => getKind(STUDIED[id].kind);

/** The moment of an event, ms UTC: an hour off would turn before and after around. */
export function getEventTime(id: EventId, date: string): number {
  const { zone, time } = getEventKind(id);
  return toInstant(zone, date, STUDIED[id].timeOf?.(date) ?? time);
}
