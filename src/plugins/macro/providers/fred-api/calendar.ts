import { Type } from "@sinclair/typebox";
import { type FetchContext, Rows, toInstant, unusable } from "intel-node";
import { getKind, type KindId, type ScheduledEvent } from "../../releases/kinds.ts";
import { fredApi } from "./provider.ts";

/** FRED's numbers of releases (fred.stlouisfed.org/releases). */
export const FRED_RELEASES = {
  cpi: 10,
  jobs: 50,
  ppi: 46,
  gdp: 53,
  pce: 54,
  /** Advance Monthly Sales for Retail and Food Services. */
  retail: 9,
  /** Unemployment Insurance Weekly Claims Report. */
  claims: 180,
} as const satisfies Partial<Record<KindId, number>>;
export type FredReleaseKind = keyof typeof FRED_RELEASES;

const ROWS_MAX = 2_000;
const TTL_MS = 3_600_000;
const Answer = Type.Object({
  release_dates: Rows(
    Type.Object({ release_id: Type.Integer(), date: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }) }),
    { maxItems: 10_000 },
  ),
});

/**
 * Days of one release, oldest first, those still to come too; at the usual hour of its publisher: FRED knows none.
 * @throws UpstreamError
 */
export function fetchFredReleaseDates(
  context: Pick<FetchContext, "get">,
  kind: FredReleaseKind,
): Promise<readonly ScheduledEvent[]> {
  const id = FRED_RELEASES[kind];
  const query = [
    ...[`release_id=${id}`, "sort_order=desc", "include_release_dates_with_no_data=true"],
    ...[`limit=${ROWS_MAX}`, "file_type=json"],
  ].join("&");
  return context.get(fredApi, {
    path: `/fred/release/dates?${query}`,
    schema: Answer,
    ttl_ms: TTL_MS,
    read({ release_dates }, _, eachRow) {
      const own = eachRow(release_dates, ({ release_id, date }) => {
        if (release_id !== id) return unusable("it is of another release");
        return Number.isNaN(Date.parse(date)) ? unusable("there is no such day") : { date };
      });
      const days = [...new Set(own.map(({ date }) => date))].toSorted();
      const { zone, time } = getKind(kind);
      const events = days.map((day): ScheduledEvent => {
        const at_ms = toInstant(zone, day, time);
        return { kind, at_ms, all_day: false, status: "scheduled", window_days: null, source: fredApi.id };
      });
      return events.length > 0 ? events : unusable("no dates");
    },
  });
}
