import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { type EachRow, Rows } from "../../../catalog/rows.ts";
import { type Unusable, unusable } from "../../../catalog/unusable.ts";
import { CLOCK_SKEW_MAX_MS } from "../clock-skew.ts";
import { gdelt } from "./provider.ts";

/** How the world's news of 24 hours speaks of a subject. */
export interface Tone {
  /** Mean over the intervals that had articles; real values lie within about -5 and 5. */
  readonly mean: number;
  /** Intervals that had articles. */
  readonly n: number;
  /** Start of the newest of them, ms. */
  readonly newest_at_ms: number;
}

const HOUR_MS = 3_600_000;
/** Intervals are a quarter of an hour; some hours of delay are usual. */
const AGE_MAX_MS = 6 * HOUR_MS;
const POINTS_MAX = 1_000;
/** GDELT states a tone between -100 and 100. */
const TONE_MAX = 100;

const Answer = Type.Object({
  timeline: Rows(
    Type.Object({
      series: Type.String({ maxLength: 100 }),
      data: Rows(
        Type.Object({
          date: Type.String({ pattern: "^[0-9]{8}T[0-9]{6}Z$" }),
          value: Type.Number({ minimum: -TONE_MAX, maximum: TONE_MAX }),
        }),
        { minItems: 1, maxItems: POINTS_MAX },
      ),
    }),
    { minItems: 1, maxItems: 10 },
  ),
});

/** "20260831T181500Z" in ms; NaN when there is no such moment. */
const parseStamp = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, "$1-$2-$3T$4:$5:$6Z"));

function readTone({ timeline }: Static<typeof Answer>, now_ms: number, eachRow: EachRow): Tone | Unusable {
  const rows = timeline.find(({ series }) => series === "Average Tone")?.data;
  if (!rows) return unusable("no series of the average tone");
  const listed = eachRow(rows, ({ date, value }) => {
    const at_ms = parseStamp(date);
    if (Number.isNaN(at_ms)) return unusable("a date cannot be read");
    return at_ms > now_ms + CLOCK_SKEW_MAX_MS ? unusable("an interval is dated in the future") : { at_ms, value };
  });
  const points = [...new Map(listed.map((point) => [point.at_ms, point])).values()].sort((a, b) => a.at_ms - b.at_ms);
  // An interval of exactly 0 had no articles: it says nothing.
  const told = points.filter(({ value }) => value !== 0);
  const newest_at_ms = Math.max(0, ...told.map(({ at_ms }) => at_ms));
  if (now_ms - newest_at_ms > AGE_MAX_MS) return unusable("no interval of the last 6 h had articles");
  const mean = told.reduce((sum, { value }) => sum + value, 0) / told.length;
  return { mean, n: told.length, newest_at_ms };
}

/**
 * Mean tone of the last 24 hours of English news that match a query, such as "(bitcoin OR BTC)". When it is called too
 * often it answers 429, or 200 with a sentence; both are errors here.
 * @throws UpstreamError
 */
export function fetchTone(context: Pick<FetchContext, "get" | "now_ms">, query: string): Promise<Tone> {
  const search = new URLSearchParams({
    query: `${query} sourcelang:english`,
    mode: "timelinetone",
    timespan: "24h",
    format: "json",
  });
  return context.get(gdelt, {
    path: `/doc?${search}`,
    schema: Answer,
    ttl_ms: 0,
    read: (answer, _, eachRow) => readTone(answer, context.now_ms, eachRow),
  });
}
