import { Type } from "@sinclair/typebox";
import { type Bar, type BarsContext, DAY_MS, fetchDailyBars, fetchPages } from "../bars.ts";
import { fetchReading } from "../fetch-reading.ts";
import { DecimalText, TimeText } from "../quote.ts";
import { bitstamp } from "./provider.ts";

const PAGE_BARS = 1_000;

const Answer = Type.Object({
  data: Type.Object({
    pair: Type.String(),
    ohlc: Type.Array(
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
 * Daily bars of BASE/USD, in USD.
 * @throws UpstreamError
 */
export function fetchBitstampDailyBars(context: BarsContext, base: string, count: number): Promise<Bar[]> {
  const fetchPage = ({ from_ms, to_ms }: { from_ms: number; to_ms: number }) => {
    const limit = (to_ms - from_ms) / DAY_MS + 1;
    return fetchReading(context, bitstamp, {
      path: `/api/v2/ohlc/${base.toLowerCase()}usd/?step=86400&limit=${limit}&start=${from_ms / 1000}`,
      schema: Answer,
      ttl_ms: 0,
      read: ({ data }) =>
        data.pair !== `${base}/USD`
          ? "the answer is about another pair"
          : data.ohlc.map(
              (row): Bar => ({
                t_ms: Number(row.timestamp) * 1000,
                open: Number(row.open),
                high: Number(row.high),
                low: Number(row.low),
                close: Number(row.close),
                volume: Number(row.volume),
              }),
            ),
    });
  };
  return fetchDailyBars(context, bitstamp, {
    count,
    fetchWindow: (window) => fetchPages(window, PAGE_BARS, fetchPage),
  });
}
