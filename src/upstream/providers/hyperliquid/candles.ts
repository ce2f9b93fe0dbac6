import { Type } from "@sinclair/typebox";
import { type Bar, type BarsContext, DAY_MS, fetchDailyBars } from "../bars.ts";
import { fetchReading } from "../fetch-reading.ts";
import { DecimalText } from "../quote.ts";
import { hyperliquid } from "./provider.ts";

const Answer = Type.Array(
  Type.Object({
    t: Type.Integer({ minimum: 0 }),
    s: Type.String(),
    i: Type.Literal("1d"),
    o: DecimalText,
    h: DecimalText,
    l: DecimalText,
    c: DecimalText,
    v: DecimalText,
  }),
  { minItems: 1, maxItems: 5_000 },
);

/**
 * Daily bars of a coin's perpetual future, in USD; volume in the coin. Its middle price is within a few basis points of
 * spot. Bars before May 2023 are an index without volume.
 * @throws UpstreamError
 */
export function fetchHyperliquidDailyBars(context: BarsContext, base: string, count: number): Promise<Bar[]> {
  return fetchDailyBars(context, hyperliquid, {
    count,
    fetchWindow: ({ from_ms, to_ms }) =>
      fetchReading(context, hyperliquid, {
        path: "/info",
        body: {
          type: "candleSnapshot",
          req: { coin: base, interval: "1d", startTime: from_ms, endTime: to_ms + DAY_MS - 1 },
        },
        schema: Answer,
        ttl_ms: 0,
        read(rows) {
          if (rows.some(({ s }) => s !== base)) return "the answer is about another coin";
          return rows.map(
            (row): Bar => ({
              t_ms: row.t,
              open: Number(row.o),
              high: Number(row.h),
              low: Number(row.l),
              close: Number(row.c),
              volume: Number(row.v),
            }),
          );
        },
      }),
  });
}
