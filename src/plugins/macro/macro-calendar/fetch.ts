import {
  type FetchContext,
  type Outcome,
  outcomeOf,
  type ProviderDefinition,
  toInstant,
  toNodeError,
} from "intel-node";
import { fetchPolicyMeetings } from "intel-node/providers/ecb/meetings";
import { ecb } from "intel-node/providers/ecb/provider";
import { fred } from "intel-node/providers/fred/provider";
import { type FredId, type FredObservation, fetchFredSeries } from "intel-node/providers/fred/series";
import { config } from "../config.ts";
import { fetchBeaCalendar } from "../providers/bea/calendar.ts";
import { bea } from "../providers/bea/provider.ts";
import { fetchBlsCalendar } from "../providers/bls/calendar.ts";
import { bls } from "../providers/bls/provider.ts";
import { fetchEurostatDates } from "../providers/eurostat/calendar.ts";
import { eurostat } from "../providers/eurostat/provider.ts";
import { fetchFedCalendar } from "../providers/fed/calendar.ts";
import { fed } from "../providers/fed/provider.ts";
import { fetchAuctions } from "../providers/fiscaldata/calendar.ts";
import { fiscaldata } from "../providers/fiscaldata/provider.ts";
import { fredApi } from "../providers/fred-api/provider.ts";
import { getKind, KINDS, type ScheduledEvent } from "../releases/kinds.ts";
import { RELEASE_KINDS, readReleases } from "../releases/release-dates.ts";

export interface Coverage {
  readonly source: string;
  readonly state: "ok" | "failed" | "disabled";
}

export interface MacroCalendarInputs {
  readonly events: readonly ScheduledEvent[];
  readonly coverage: readonly Coverage[];
  /** Days of decision the operator added, "bank day". */
  readonly decision_dates?: readonly string[];
  readonly series: ReadonlyMap<FredId, readonly FredObservation[]>;
}

/** The calendars; of the first three at least one has to be there. */
export const CALENDARS: readonly {
  readonly provider: ProviderDefinition;
  readonly fetch: (context: FetchContext) => Promise<readonly ScheduledEvent[]>;
}[] = [
  { provider: fed, fetch: fetchFedCalendar },
  { provider: bea, fetch: fetchBeaCalendar },
  { provider: bls, fetch: fetchBlsCalendar },
  { provider: ecb, fetch: fetchDecisions },
  { provider: eurostat, fetch: fetchEuropean },
  { provider: fiscaldata, fetch: fetchAuctions },
];
export const ESSENTIAL: readonly ProviderDefinition[] = [fed, bea, bls];

async function fetchDecisions(context: FetchContext): Promise<readonly ScheduledEvent[]> {
  const { zone, time } = getKind("ecb");
  return (await fetchPolicyMeetings(context)).map((date) => ({
    kind: "ecb",
    at_ms: toInstant(zone, date, time),
    all_day: false,
    status: "scheduled",
    window_days: null,
    source: ecb.id,
  }));
}

async function fetchEuropean(context: FetchContext): Promise<readonly ScheduledEvent[]> {
  const sets = await Promise.all(
    (["hicp", "unemployment_ea", "gdp_ea"] as const).map((kind) => fetchEurostatDates(context, kind)),
  );
  return sets.flat();
}

/** Around now, for what the answer can show. */
const NEAR_MS = 21 * 86_400_000;

/** Days that only FRED's calendar lists, as the job `release-dates` stored them; empty without its key. */
async function readStored(context: FetchContext): Promise<readonly ScheduledEvent[]> {
  if (!context.usable(fredApi)) return [];
  const kinds = await Promise.all(
    RELEASE_KINDS.map(async (kind) => ({ kind, stored: await readReleases(context, kind) })),
  );
  return kinds.flatMap(({ kind, stored }) =>
    (stored?.releases ?? [])
      .filter(([at_ms, source]) => source === fredApi.id && Math.abs(at_ms - context.now_ms) <= NEAR_MS)
      .map(([at_ms, source]): ScheduledEvent => {
        return { kind, at_ms, all_day: false, status: "scheduled", window_days: null, source };
      }),
  );
}

/** Changes of 12 quarters and what they are changes from, with room for gaps. */
const SERIES_DAYS = 5 * 366;
const SERIES: readonly FredId[] = [
  ...new Set(
    Object.values<(typeof KINDS)[keyof typeof KINDS]>(KINDS).flatMap((kind) =>
      "measure" in kind ? kind.measure.series : [],
    ),
  ),
];

/**
 * All calendars and all series of their numbers at once.
 * @throws NodeError when none of the Fed, the BEA and the BLS could be read.
 */
export async function fetchMacroCalendar(context: FetchContext): Promise<MacroCalendarInputs> {
  const since = new Date(context.now_ms - SERIES_DAYS * 86_400_000).toISOString().slice(0, 8);
  const open = CALENDARS.filter(({ provider }) => context.usable(provider));
  const [stored, outcomes, series] = await Promise.all([
    readStored(context),
    Promise.all(open.map((calendar) => outcomeOf(calendar.fetch(context)))),
    context.usable(fred)
      ? Promise.all(SERIES.map((id) => outcomeOf(fetchFredSeries(context, { id, since: `${since}01` }))))
      : Promise.resolve([]),
  ]);
  const outcomeBy = (provider: ProviderDefinition): Outcome<readonly ScheduledEvent[]> | undefined =>
    outcomes[open.findIndex((one) => one.provider === provider)];
  if (!ESSENTIAL.some((provider) => outcomeBy(provider)?.ok)) {
    throw toNodeError(
      outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.error])),
      "macro-calendar",
    );
  }
  const stateOf = (outcome: Outcome<unknown> | undefined): Coverage["state"] =>
    outcome === undefined ? "disabled" : outcome.ok ? "ok" : "failed";
  const known = series.flatMap((outcome, index): [FredId, readonly FredObservation[]][] => {
    const id = SERIES[index];
    return outcome.ok && id ? [[id, outcome.value]] : [];
  });
  const fred_state = !context.usable(fred) ? "disabled" : known.length === SERIES.length ? "ok" : "failed";
  return {
    events: [...outcomes.flatMap((outcome) => (outcome.ok ? outcome.value : [])), ...stored],
    coverage: [
      ...CALENDARS.map(({ provider }) => ({ source: provider.id, state: stateOf(outcomeBy(provider)) })),
      { source: fred.id, state: fred_state },
    ],
    decision_dates: context.config(config).decision_dates,
    series: new Map(known),
  };
}
