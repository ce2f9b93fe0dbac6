import { Type } from "@sinclair/typebox";
import type { FetchContext } from "intel-node";
import type { KindId, ScheduledEvent } from "../../shared/kinds.ts";
import { bea } from "./provider.ts";

const TITLES: Readonly<Record<string, KindId>> = {
  "Gross Domestic Product": "gdp",
  "Personal Income and Outlays": "pce",
};
const TTL_MS = 3_600_000;

/** Release dates by title, once each; members that are no object and times that are none are left out. */
export function readBeaDates(answer: Readonly<Record<string, unknown>>): readonly ScheduledEvent[] {
  return Object.entries(TITLES).flatMap(([title, kind]) => {
    const entry = answer[title];
    const dates = typeof entry === "object" && entry !== null && "release_dates" in entry ? entry.release_dates : [];
    const times = (Array.isArray(dates) ? dates : []).map((text: unknown) => Date.parse(String(text)));
    return [...new Set(times.filter((ms) => !Number.isNaN(ms)))].map((at_ms): ScheduledEvent => {
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
    read(answer) {
      const events = readBeaDates(answer);
      return events.length > 0 ? events : "no release dates of GDP or of income";
    },
  });
}
