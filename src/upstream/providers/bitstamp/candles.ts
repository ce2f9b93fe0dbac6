import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import {
  type Bar,
  type BarsContext,
  type BarsRequest,
  type BarWindow,
  fetchClosedBars,
  fetchPages,
  readPage,
} from "../bars.ts";
import { DecimalText, TimeText } from "../quote.ts";
import { bitstamp } from "./provider.ts";

const PAGE_BARS = 1_000;

const Answer = Type.Object({
  data: Type.Object({
    pair: Type.String(),
    ohlc: Whole(
      "series",
      Type.Object({
        timestamp: TimeText,
        open: DecimalText,
        high: DecimalText,
        low: DecimalText,
        close: DecimalText,
        volume: DecimalText,
      }),
      { minItems: 1, maxItems: PAGE_BARS },
    ),
  }),
});

/**
 * Bars of BASE/USD, in USD.
 * @throws UpstreamError
 */
export function fetchBitstampBars(context: BarsContext, { base, interval, count }: BarsRequest): Promise<Bar[]> {
  const fetchPage = ({ from_ms, to_ms, step_ms }: BarWindow) => {
    const limit = (to_ms - from_ms) / step_ms + 1;
    return context.get(bitstamp, {
      path: `/api/v2/ohlc/${base.toLowerCase()}usd/?step=${step_ms / 1000}&limit=${limit}` + `&start=${from_ms / 1000}`,
      schema: Answer,
      ttl_ms: 0,
      read: ({ data }) =>
        data.pair !== `${base}/USD`
          ? unusable("the answer is about another pair")
          : readPage(
              data.ohlc.map(
                (row): Bar => ({
                  t_ms: Number(row.timestamp) * 1000,
                  open: Number(row.open),
                  high: Number(row.high),
                  low: Number(row.low),
                  close: Number(row.close),
                  volume: Number(row.volume),
                }),
              ),
              to_ms,
            ),
    });
  };
  return fetchClosedBars(context, bitstamp, {
    interval,
    count,
    fetchWindow: (window) => fetchPages(window, PAGE_BARS, fetchPage),
  });
}
