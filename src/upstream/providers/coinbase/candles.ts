import { Type } from "@sinclair/typebox";
import { renderTime } from "../../../core/clock.ts";
import { type Bar, type BarsContext, fetchDailyBars, fetchPages } from "../bars.ts";
import { fetchReading } from "../fetch-reading.ts";
import { coinbase } from "./provider.ts";

const PAGE_BARS = 300;
const Price = Type.Number({ exclusiveMinimum: 0 });

/** Time (s), then low and high before open and close, then volume. Newest first. */
const Row = Type.Tuple([Type.Integer({ minimum: 0 }), Price, Price, Price, Price, Type.Number({ minimum: 0 })]);

const Answer = Type.Array(Row, { minItems: 1, maxItems: PAGE_BARS + 1 });

/**
 * Daily bars of BASE/USD, in USD.
 * @throws UpstreamError
 */
export function fetchCoinbaseDailyBars(context: BarsContext, base: string, count: number): Promise<Bar[]> {
  const fetchPage = ({ from_ms, to_ms }: { from_ms: number; to_ms: number }) =>
    fetchReading(context, coinbase, {
      path:
        `/products/${base}-USD/candles?granularity=86400` + `&start=${renderTime(from_ms)}&end=${renderTime(to_ms)}`,
      schema: Answer,
      ttl_ms: 0,
      read: (rows) =>
        rows.map(
          ([time_s, low, high, open, close, volume]): Bar => ({ t_ms: time_s * 1000, open, high, low, close, volume }),
        ),
    });
  return fetchDailyBars(context, coinbase, {
    count,
    fetchWindow: (window) => fetchPages(window, PAGE_BARS, fetchPage),
  });
}
