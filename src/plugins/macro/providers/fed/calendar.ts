import { type Static, Type } from "@sinclair/typebox";
import { type FetchContext, getOwn, Rows, toInstant, unusable } from "intel-node";
import { getKind, type KindId, type ScheduledEvent } from "../../releases/kinds.ts";
import { fed } from "./provider.ts";

const Row = Type.Object({
  title: Type.String({ maxLength: 400 }),
  month: Type.String({ pattern: "^\\d{4}-\\d{2}$" }),
  days: Type.String({ maxLength: 40 }),
  time: Type.Optional(Type.String({ maxLength: 40 })),
});
const Answer = Type.Object({ events: Rows(Type.Unknown(), { minItems: 1, maxItems: 20_000 }) });

const TITLES: Readonly<Record<string, KindId>> = {
  "FOMC Meeting": "fomc",
  "FOMC Press Conference": "fomc_press",
  "FOMC Minutes": "fomc_minutes",
  "Beige Book": "beige_book",
};
const TTL_MS = 3_600_000;

/** "2:00 p.m." as "14:00"; null for any other text. */
export function readClock(text: string): string | null {
  const [, hour = "", minute = "", half = ""] = /^(\d{1,2}):(\d{2})\s*([ap])\.?m\.?$/i.exec(text.trim()) ?? [];
  if (hour === "") return null;
  const hours = (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return `${String(hours).padStart(2, "0")}:${minute}`;
}

type FedRow = Static<typeof Row>;

/** The events of a row: it can have several days and an empty time. Titles without a kind give no event. */
export function readFedRow({ title, month, days, time = "" }: FedRow): readonly ScheduledEvent[] {
  const kind = getOwn(TITLES, title.trim());
  if (!kind) return [];
  const { zone } = getKind(kind);
  const clock = readClock(time);
  return days.split(",").flatMap((text): ScheduledEvent[] => {
    const day = text.trim().padStart(2, "0");
    const date = `${month}-${day}`;
    if (!/^\d{2}$/.test(day) || Number.isNaN(Date.parse(date))) return [];
    const at_ms = clock === null ? Date.parse(date) : toInstant(zone, date, clock);
    return [{ kind, at_ms, all_day: clock === null, status: "scheduled", window_days: null, source: fed.id }];
  });
}

/** @throws UpstreamError */
export function fetchFedCalendar(context: Pick<FetchContext, "get">): Promise<readonly ScheduledEvent[]> {
  return context.get(fed, {
    path: "/json/calendar.json",
    schema: Answer,
    ttl_ms: TTL_MS,
    read({ events }, _, eachRow) {
      const found = eachRow(
        events,
        (row) => {
          // Rows of other kinds of events have other shapes.
          if (!isWanted(row)) return [];
          const days = isRow(row) && isTimed(row) ? readFedRow(row) : [];
          return days.length > 0 ? days : unusable("a day that cannot be read");
        },
        { floor: 0.5 },
      ).flat();
      return found.length > 0 ? found : unusable("no meeting of the FOMC");
    },
  });
}

/** A time is left out or can be read. */
const isTimed = ({ time = "" }: FedRow): boolean => time.trim() === "" || readClock(time) !== null;

function isWanted(row: unknown): boolean {
  const title = typeof row === "object" && row !== null && "title" in row ? row.title : undefined;
  return typeof title !== "string" || Object.hasOwn(TITLES, title.trim());
}

function isRow(row: unknown): row is FedRow {
  if (typeof row !== "object" || row === null) return false;
  const { title, month, days, time = "" }: Record<string, unknown> = { ...row };
  const texts = [title, month, days, time];
  return texts.every((text) => typeof text === "string" && text.length <= 400) && /^\d{4}-\d{2}$/.test(String(month));
}
