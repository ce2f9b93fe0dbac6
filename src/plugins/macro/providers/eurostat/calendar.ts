import { Type } from "@sinclair/typebox";
import { type FetchContext, toInstant } from "intel-node";
import { getKind, type KindId, type ScheduledEvent } from "../../shared/kinds.ts";
import { eurostat } from "./provider.ts";

export const EUROSTAT_SETS = { hicp: "prc_hicp_manr", unemployment_ea: "une_rt_m", gdp_ea: "namq_10_gdp" } as const;
export type EurostatKind = keyof typeof EUROSTAT_SETS & KindId;

const Dates = Type.Union([
  Type.String({ maxLength: 60 }),
  Type.Array(Type.String({ maxLength: 60 }), { maxItems: 60 }),
]);
const Answer = Type.Object({
  extension: Type.Object({
    datasetMetadata: Type.Object({ disseminationSchedule: Type.Object({ plannedDisseminationDate: Dates }) }),
  }),
});
const TTL_MS = 6 * 3_600_000;

/** When a data set is published next. @throws UpstreamError */
export function fetchEurostatDates(
  context: Pick<FetchContext, "get">,
  kind: EurostatKind,
): Promise<readonly ScheduledEvent[]> {
  const { zone, time } = getKind(kind);
  return context.get(eurostat, {
    path: `/statistics/1.0/data/${EUROSTAT_SETS[kind]}?lastTimePeriod=1&geo=EA20&format=JSON`,
    schema: Answer,
    ttl_ms: TTL_MS,
    read({ extension }) {
      const { plannedDisseminationDate: planned } = extension.datasetMetadata.disseminationSchedule;
      const texts = typeof planned === "string" ? [planned] : planned;
      const dates = texts.flatMap((text) => /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? []);
      if (dates.length === 0) return "no planned date";
      return [...new Set(dates)].map((date): ScheduledEvent => {
        const at_ms = toInstant(zone, date, time);
        return { kind, at_ms, all_day: false, status: "scheduled", window_days: null, source: eurostat.id };
      });
    },
  });
}
