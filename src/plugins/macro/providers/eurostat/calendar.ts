import { Type } from "@sinclair/typebox";
import { type FetchContext, Rows, toInstant, unusable } from "intel-node";
import { getKind, type KindId, type ScheduledEvent } from "../../releases/kinds.ts";
import { eurostat } from "./provider.ts";

/** The data set of consumer prices was closed in February 2026 (prc_hicp_manr); this one follows it. */
export const EUROSTAT_SETS = { hicp: "prc_hicp_minr", unemployment_ea: "une_rt_m", gdp_ea: "namq_10_gdp" } as const;
export type EurostatKind = keyof typeof EUROSTAT_SETS & KindId;

const Annotation = Type.Object({
  type: Type.String({ maxLength: 80 }),
  date: Type.Optional(Type.String({ maxLength: 60 })),
});
const Answer = Type.Object({
  extension: Type.Object({ annotation: Rows(Annotation, { minItems: 1, maxItems: 200 }) }),
});
const PLANNED = "DISSEMINATION_TIMESTAMP_PLANNED";
const TTL_MS = 6 * 3_600_000;

/**
 * The publication of a data set that is planned; none where it states none. Once that is done the same field repeats
 * the time of the last upload. One at another hour than the release's is such an upload: corrections come at 23:00.
 * @throws UpstreamError
 */
export function fetchEurostatDates(
  context: Pick<FetchContext, "get">,
  kind: EurostatKind,
): Promise<readonly ScheduledEvent[]> {
  const { zone, time } = getKind(kind);
  return context.get(eurostat, {
    path: `/statistics/1.0/data/${EUROSTAT_SETS[kind]}?lastTimePeriod=1&geo=EA20&format=JSON`,
    schema: Answer,
    ttl_ms: TTL_MS,
    read({ extension }, _, eachRow) {
      const planned = extension.annotation.filter(({ type }) => type === PLANNED);
      const releases = eachRow(planned, ({ date: text = "" }) => {
        const [, date = "", hour = ""] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(text) ?? [];
        return Number.isNaN(Date.parse(date)) ? unusable("no time") : { date, hour };
      }).filter(({ hour }) => hour === time);
      return [...new Set(releases.map(({ date }) => date))].map((date): ScheduledEvent => {
        const at_ms = toInstant(zone, date, time);
        return { kind, at_ms, all_day: false, status: "scheduled", window_days: null, source: eurostat.id };
      });
    },
  });
}
