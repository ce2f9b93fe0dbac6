import { Type } from "@sinclair/typebox";
import { type Bar, type BarsContext, DAY_MS, fetchDailyBars, fetchPages } from "../bars.ts";
import { fetchReading } from "../fetch-reading.ts";
import { DecimalText } from "../quote.ts";
import { cryptocom } from "./provider.ts";

const PAGE_BARS = 300;

const Answer = Type.Object({
  code: Type.Integer(),
  result: Type.Optional(
    Type.Object({
      instrument_name: Type.String(),
      data: Type.Array(
        Type.Object({
          o: DecimalText,
          h: DecimalText,
          l: DecimalText,
          c: DecimalText,
          v: DecimalText,
          t: Type.Integer({ minimum: 0 }),
        }),
        { minItems: 1, maxItems: PAGE_BARS },
      ),
    }),
  ),
});

/**
 * Daily bars of BASE/USD, in USD (there a bundle of dollar balances and stablecoins).
 * @throws UpstreamError
 */
export function fetchCryptocomDailyBars(context: BarsContext, base: string, count: number): Promise<Bar[]> {
  const name = `${base}_USD`;
  const fetchPage = ({ from_ms, to_ms }: { from_ms: number; to_ms: number }) =>
    fetchReading(context, cryptocom, {
      path:
        `/public/get-candlestick?instrument_name=${name}&timeframe=1D&count=${PAGE_BARS}` +
        `&start_ts=${from_ms}&end_ts=${to_ms + DAY_MS}`,
      schema: Answer,
      ttl_ms: 0,
      read({ code, result }) {
        if (code !== 0 || !result) return `error code ${code}`;
        if (result.instrument_name !== name) return "the answer is about another pair";
        return result.data.map(
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
    });
  return fetchDailyBars(context, cryptocom, {
    count,
    fetchWindow: (window) => fetchPages(window, PAGE_BARS, fetchPage),
  });
}
