import { type Static, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { type FearGreedReading, type FearGreedRow, findReadingFault } from "../fear-greed-reading.ts";
import { TimeText } from "../quote.ts";
import { alternativeMe, FEAR_GREED_ATTRIBUTION } from "./provider.ts";

/** The last 365 values, and one more so that yesterday's view has as many. */
const ROWS = 366;
const ROWS_MAX = 400;
const TTL_MS = 60_000;
const MINUTE_MS = 60_000;
/** The index changes daily; a longer wait than this is not believed. */
const NEXT_UPDATE_S_MAX = 172_800;

const Row = Type.Object({
  value: Type.String({ pattern: "^(100|[1-9]?[0-9])$" }),
  value_classification: Type.String({ minLength: 1, maxLength: 40 }),
  timestamp: TimeText,
  /** Seconds; on the newest row only. */
  time_until_update: Type.Optional(Type.String({ pattern: "^-?[0-9]{1,9}$" })),
});

const Answer = Type.Object({
  data: Whole("series", Row, { minItems: 1, maxItems: ROWS_MAX }),
  metadata: Type.Object({ error: Type.Union([Type.Null(), Type.String()]) }),
});

/** Rounded to the minute: the wait is counted from the publisher's answer, which may be some seconds old. */
function getNextUpdate(rows: Static<typeof Answer>["data"], now_ms: number): number | null {
  const wait_s = Number(rows[0]?.time_until_update ?? Number.NaN);
  if (!(wait_s >= 0 && wait_s <= NEXT_UPDATE_S_MAX)) return null;
  return Math.round((now_ms + wait_s * 1000) / MINUTE_MS) * MINUTE_MS;
}

/**
 * The publisher's last year of daily values, newest first. An answer whose newest value is older than 48 h is refused.
 * @throws UpstreamError
 */
export function fetchAlternativeMeIndex(context: Pick<FetchContext, "get" | "now_ms">): Promise<FearGreedReading> {
  return context.get(alternativeMe, {
    path: `/fng/?limit=${ROWS}&format=json`,
    schema: Answer,
    ttl_ms: TTL_MS,
    attribution: FEAR_GREED_ATTRIBUTION,
    read({ data, metadata }) {
      if (metadata.error !== null) return unusable(`error ${metadata.error.slice(0, 100)}`);
      const rows = data.map(
        (row): FearGreedRow => ({
          value: Number(row.value),
          classification: row.value_classification,
          at_ms: Number(row.timestamp) * 1000,
        }),
      );
      const reading = { rows, next_update_at_ms: getNextUpdate(data, context.now_ms) };
      return findReadingFault(reading, context.now_ms) ?? reading;
    },
  });
}
