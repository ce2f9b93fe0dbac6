import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { renderTime } from "../../../core/clock.ts";
import {
  type Bar,
  type BarsContext,
  type BarsRequest,
  type BarWindow,
  fetchClosedBars,
  fetchPages,
  readPage,
} from "../bars.ts";
import { coinbase } from "./provider.ts";

const PAGE_BARS = 300;
const Price = Type.Number({ exclusiveMinimum: 0 });

/** Time (s), then low and high before open and close, then volume. Newest first. */
const Row = Type.Tuple([Type.Integer({ minimum: 0 }), Price, Price, Price, Price, Type.Number({ minimum: 0 })]);

const Answer = Whole("series", Row, { minItems: 1, maxItems: PAGE_BARS + 1 });

/**
 * Bars of BASE/USD, in USD. There are none of four hours.
 * @throws UpstreamError
 */
export function fetchCoinbaseBars(context: BarsContext, { base, interval, count }: BarsRequest): Promise<Bar[]> {
  const fetchPage = ({ from_ms, to_ms, step_ms }: BarWindow) =>
    context.get(coinbase, {
      path:
        `/products/${base}-USD/candles?granularity=${step_ms / 1000}` +
        `&start=${renderTime(from_ms)}&end=${renderTime(to_ms)}`,
      schema: Answer,
      ttl_ms: 0,
      read: (rows) =>
        readPage(
          rows.map(
            ([time_s, low, high, open, close, volume]): Bar => ({
              t_ms: time_s * 1000,
              open,
              high,
              low,
              close,
              volume,
            }),
          ),
          to_ms,
        ),
    });
  return fetchClosedBars(context, coinbase, {
    interval,
    count,
    fetchWindow: (window) => fetchPages(window, PAGE_BARS, fetchPage),
  });
}
