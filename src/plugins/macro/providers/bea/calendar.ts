import { Type } from "@sinclair/typebox";
import { type EachRow, type FetchContext, unusable } from "intel-node";
import type { KindId, ScheduledEvent } from "../../releases/kinds.ts";
import { bea } from "./provider.ts";

const TITLES: Readonly<Record<string, KindId>> = {
  "Gross Domestic Product": "gdp",
  "Personal Income and Outlays": "pce",
};
const TTL_MS = 3_600_000;

/** Release dates by title, once each; members that are not objects and invalid times are left out. */
export function readBeaDates(answer: Readonly<Record<string, unknown>>, eachRow: EachRow): readonly ScheduledEvent[] {
  return Object.entries(TITLES).flatMap(([title, kind]) => {
    const entry = answer[title];
    const dates = typeof entry === "object" && entry !== null && "release_dates" in entry ? entry.release_dates : [];
    const times = eachRow(Array.isArray(dates) ? (dates as unknown[]) : [], (text) => {
      const at_ms = typeof text === "string" ? Date.parse(text) : Number.NaN;
      return Number.isNaN(at_ms) ? unusable("no time") : at_ms;
    });
    return [...new Set(times)].map((at_ms): ScheduledEvent => {
      return { kind, at_ms, all_day: false, status: "scheduled", window_days: null, source: bea.id };
    });
  });
}

/** @throws UpstreamError */
export function fetchBeaCalendar(context: Pick<FetchContext, "get">): Promise<readonly ScheduledEvent[]> {
  return context.get(bea, {
    path: "/API/signup/release_dates.json",
    schema: Type.Record(Type.String(), Type.Unknown()),
    ttl_ms: TTL_MS,
    read(answer, _, eachRow) {
      const events = readBeaDates(answer, eachRow);
      return events.length > 0 ? events : unusable("no release dates of GDP or of income");
    },
  });
}
