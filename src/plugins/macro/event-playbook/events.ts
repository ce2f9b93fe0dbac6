import { CPI_DATES, FOMC_DATES, FOMC_EXCLUDED, JOBS_DATES } from "../shared/event-dates.ts";
import { getKind, type KindId } from "../shared/kinds.ts";

export const EVENTS = ["fomc", "cpi", "nfp"] as const;
export type EventId = (typeof EVENTS)[number];
/** Other words for them. */
export const ALIASES: Readonly<Record<string, EventId>> = { jobs: "nfp", payrolls: "nfp" };

export interface StudiedEvent {
  readonly kind: KindId;
  /** Days of past and known coming events, oldest first. */
  readonly dates: readonly string[];
  readonly excluded: readonly { readonly date: string; readonly reason: string }[];
}

const STUDIED: Readonly<Record<EventId, StudiedEvent>> = {
  fomc: { kind: "fomc", dates: FOMC_DATES, excluded: FOMC_EXCLUDED },
  cpi: { kind: "cpi", dates: CPI_DATES, excluded: [] },
  nfp: { kind: "jobs", dates: JOBS_DATES, excluded: [] },
};

export const getEvent = (id: EventId): StudiedEvent => STUDIED[id];
export const getEventKind = (id: EventId) => getKind(STUDIED[id].kind);
