import { Type } from "@sinclair/typebox";
import { type EachRow, type FetchContext, getOwn, toDate, toInstant, type Unusable, unusable } from "intel-node";
import type { KindId, ScheduledEvent } from "../../releases/kinds.ts";
import { bls } from "./provider.ts";

const TITLES: Readonly<Record<string, KindId>> = {
  "Consumer Price Index": "cpi",
  "Employment Situation": "jobs",
  "Producer Price Index": "ppi",
  "Job Openings and Labor Turnover Survey": "jolts",
};
const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];
/** "Consumer Price Index for August 2026": the page writes the month behind the title, the file may. */
const TITLE = /^SUMMARY:(.*?)(?: for ([A-Z][a-z]+) (\d{4}))?$/m;
const ZONE = "America/New_York";
const TTL_MS = 3_600_000;
const START = /^DTSTART(?:;TZID=[^:]+)?:(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})\d{2}(Z?)$/m;

/** The events of an iCalendar file (RFC 5545) that have a kind here. */
export function readBlsCalendar(text: string, eachRow: EachRow): readonly ScheduledEvent[] {
  const unfolded = text.replaceAll("\r", "").replaceAll(/\n[ \t]/g, "");
  return eachRow(unfolded.split("BEGIN:VEVENT").slice(1), (block): readonly ScheduledEvent[] | Unusable => {
    const [, title = "", of_month = "", of_year = ""] = TITLE.exec(block.replaceAll(/ +$/gm, "")) ?? [];
    const kind = getOwn(TITLES, title.trim());
    if (/^STATUS:CANCELLED$/m.test(block)) return [];
    const [, year = "", month = "", day = "", hour = "", minute = "", utc = ""] = START.exec(block) ?? [];
    if (!kind) return [];
    if (year === "") return unusable("no start");
    const [date, time] = [`${year}-${month}-${day}`, `${hour}:${minute}`];
    const at_ms = utc === "Z" ? Date.parse(`${date}T${time}:00Z`) : toInstant(ZONE, date, time);
    const about = MONTHS.includes(of_month) ? toDate(Number(of_year), MONTHS.indexOf(of_month) + 1, 1) : null;
    const event = { kind, at_ms, all_day: false, status: "scheduled", window_days: null, source: bls.id } as const;
    return [about === null ? event : { ...event, about }];
  }).flat();
}

/** @throws UpstreamError */
export function fetchBlsCalendar(context: Pick<FetchContext, "get">): Promise<readonly ScheduledEvent[]> {
  return context.get(bls, {
    path: "/schedule/news_release/bls.ics",
    format: "text",
    schema: Type.String({ minLength: 50 }),
    ttl_ms: TTL_MS,
    read(text, _, eachRow) {
      if (!text.startsWith("BEGIN:VCALENDAR")) return unusable("no calendar");
      if (!text.trimEnd().endsWith("END:VCALENDAR")) return unusable("the calendar is cut off");
      const events = readBlsCalendar(text, eachRow);
      return events.length > 0 ? events : unusable("no release of a kind that is known");
    },
  });
}
