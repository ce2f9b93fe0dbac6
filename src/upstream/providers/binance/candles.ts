import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import {
  type Bar,
  type BarsContext,
  type BarsRequest,
  type BarWindow,
  fetchClosedBars,
  fetchPages,
  readPage,
} from "../bars.ts";
import { DecimalText } from "../quote.ts";
import { binance } from "./provider.ts";

const PAGE_BARS = 1_000;

/** Opening time (ms), open, high, low, close, volume, closing time, quote volume, trades and three more. */
const Row = Type.Tuple([
  Type.Integer({ minimum: 0 }),
  DecimalText,
  DecimalText,
  DecimalText,
  DecimalText,
  DecimalText,
  Type.Integer({ minimum: 0 }),
  DecimalText,
  Type.Integer({ minimum: 0 }),
  DecimalText,
  DecimalText,
  Type.String(),
]);

const Answer = Whole("series", Row, { minItems: 1, maxItems: PAGE_BARS });

/**
 * Bars of BASE/USDT, in USDT.
 * @throws UpstreamError
 */
export function fetchBinanceBars(context: BarsContext, { base, interval, count }: BarsRequest): Promise<Bar[]> {
  const fetchPage = ({ from_ms, to_ms, step_ms }: BarWindow) =>
    context.get(binance, {
      path:
        `/api/v3/klines?symbol=${base}USDT&interval=${interval}&limit=${PAGE_BARS}` +
        `&startTime=${from_ms}&endTime=${to_ms + step_ms - 1}`,
      schema: Answer,
      ttl_ms: 0,
      read: (rows) =>
        readPage(
          rows.map(
            ([t_ms, open, high, low, close, volume]): Bar => ({
              t_ms,
              open: Number(open),
              high: Number(high),
              low: Number(low),
              close: Number(close),
              volume: Number(volume),
            }),
          ),
          to_ms,
        ),
    });
  return fetchClosedBars(context, binance, {
    interval,
    count,
    fetchWindow: (window) => fetchPages(window, PAGE_BARS, fetchPage),
  });
}
