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
import { DecimalText } from "../quote.ts";
import { cryptocom } from "./provider.ts";

const PAGE_BARS = 300;

const TIMEFRAMES = { "1h": "1h", "4h": "4h", "1d": "1D" } as const;

const Answer = Type.Object({
  code: Type.Integer(),
  result: Type.Optional(
    Type.Object({
      instrument_name: Type.String(),
      data: Whole(
        "series",
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
 * Bars of BASE/USD, in USD (there a bundle of dollar balances and stablecoins).
 * @throws UpstreamError
 */
export function fetchCryptocomBars(context: BarsContext, { base, interval, count }: BarsRequest): Promise<Bar[]> {
  const name = `${base}_USD`;
  const fetchPage = ({ from_ms, to_ms, step_ms }: BarWindow) =>
    context.get(cryptocom, {
      path:
        `/public/get-candlestick?instrument_name=${name}&timeframe=${TIMEFRAMES[interval]}&count=${PAGE_BARS}` +
        `&start_ts=${from_ms}&end_ts=${to_ms + step_ms}`,
      schema: Answer,
      ttl_ms: 0,
      read({ code, result }) {
        if (code !== 0 || !result) return unusable(`error code ${code}`);
        if (result.instrument_name !== name) return unusable("the answer is about another pair");
        return readPage(
          result.data.map(
            (row): Bar => ({
              t_ms: row.t,
              open: Number(row.o),
              high: Number(row.h),
              low: Number(row.l),
              close: Number(row.c),
              volume: Number(row.v),
            }),
          ),
          to_ms,
        );
      },
    });
  return fetchClosedBars(context, cryptocom, {
    interval,
    count,
    fetchWindow: (window) => fetchPages(window, PAGE_BARS, fetchPage),
  });
}
