import { type ISODate, toInstant, toLocal } from "intel-node";
import {
  CPI_DATES,
  ECB_DATES,
  ECB_EXCLUDED,
  ECB_LATER_SINCE,
  FOMC_DATES,
  FOMC_EXCLUDED,
  JOBS_DATES,
} from "../releases/event-dates.ts";
import { getKind, type KindId } from "../releases/kinds.ts";
import { CONFIRMED_MS, type StoredRelease } from "../releases/release-dates.ts";

export const EVENTS = ["fomc", "cpi", "nfp", "ecb", "ppi", "gdp", "pce", "retail", "claims"] as const;
export type EventId = (typeof EVENTS)[number];
/** Other words for them. */
export const ALIASES: Readonly<Record<string, EventId>> = { jobs: "nfp", payrolls: "nfp" };

export interface StudiedEvent {
  readonly kind: KindId;
  /** Days of past and known coming events, oldest first; empty where only calendars list them. */
  readonly dates: readonly ISODate[];
  readonly excluded: readonly { readonly date: ISODate; readonly reason: string }[];
  /** Local time of one event, where it was not always the usual one. */
  readonly timeOf?: (date: ISODate) => string;
}

/** One event with its moment, ms UTC. */
export interface DatedEvent {
  readonly date: ISODate;
  readonly at_ms: number;
}

const untabled = (kind: KindId): StudiedEvent => ({ kind, dates: [], excluded: [] });
const STUDIED: Readonly<Record<EventId, StudiedEvent>> = {
  fomc: { kind: "fomc", dates: FOMC_DATES, excluded: FOMC_EXCLUDED },
  cpi: { kind: "cpi", dates: CPI_DATES, excluded: [] },
  nfp: { kind: "jobs", dates: JOBS_DATES, excluded: [] },
  ecb: {
    kind: "ecb",
    dates: ECB_DATES,
    excluded: ECB_EXCLUDED,
    timeOf: (date) => (date < ECB_LATER_SINCE ? "13:45" : "14:15"),
  },
  ppi: untabled("ppi"),
  gdp: untabled("gdp"),
  pce: untabled("pce"),
  retail: untabled("retail"),
  claims: untabled("claims"),
};

export const getEvent = (id: EventId): StudiedEvent => STUDIED[id];
export const getEventKind = (id: EventId) => getKind(STUDIED[id].kind);

/** The moment of an event, ms UTC: an hour off would turn before and after around. */
export function getEventTime(id: EventId, date: ISODate): number {
  const { zone, time } = getEventKind(id);
  return toInstant(zone, date, STUDIED[id].timeOf?.(date) ?? time);
}

/** A calendar's date this near to one of the table is the same event, and wins. */
const SAME_MS = 3 * 86_400_000;

/**
 * All events that are known, oldest first: those of the table, corrected and continued by what calendars said.
 * Events due since the last reading of the calendars are left out.
 */
export function listEvents(
  id: EventId,
  stored: { readonly releases: readonly StoredRelease[]; readonly read_ms: number } | null,
  now_ms: number,
): readonly DatedEvent[] {
  const { zone } = getEventKind(id);
  const table = STUDIED[id].dates.map((date) => ({ date, at_ms: getEventTime(id, date) }));
  if (!stored) return table;
  const end_ms = (table.at(-1)?.at_ms ?? Number.NEGATIVE_INFINITY) + SAME_MS;
  const sure = stored.releases.filter(([at_ms]) => at_ms > now_ms || at_ms <= stored.read_ms + CONFIRMED_MS);
  const corrected = table.map((event) => {
    const told = sure.find(([at_ms]) => Math.abs(at_ms - event.at_ms) <= SAME_MS);
    return told ? { date: toLocal(zone, told[0]).date, at_ms: told[0] } : event;
  });
  const later = sure.filter(([at_ms]) => at_ms > end_ms);
  return [...corrected, ...later.map(([at_ms]) => ({ date: toLocal(zone, at_ms).date, at_ms }))];
}
