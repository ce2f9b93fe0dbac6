import { Type } from "@sinclair/typebox";
import { type Bar, type BarsContext, DAY_MS, fetchDailyBars, fetchPages } from "../bars.ts";
import { fetchReading } from "../fetch-reading.ts";
import { DecimalText, TimeText } from "../quote.ts";
import { okx } from "./provider.ts";

const PAGE_BARS = 100;

/** Opening time (ms), open, high, low, close, volume, two quote volumes, "1" once the bar is closed. */
const Row = Type.Tuple([
  TimeText,
  DecimalText,
  DecimalText,
  DecimalText,
  DecimalText,
  DecimalText,
  DecimalText,
  DecimalText,
  Type.Union([Type.Literal("0"), Type.Literal("1")]),
]);

const Answer = Type.Object({ code: Type.String(), data: Type.Array(Row, { maxItems: PAGE_BARS }) });

/**
 * Daily bars of BASE/USDT, in USDT. The plain "1D" is a Hong Kong day, hence "1Dutc".
 * @throws UpstreamError
 */
export function fetchOkxDailyBars(context: BarsContext, base: string, count: number): Promise<Bar[]> {
  const fetchPage = ({ to_ms }: { from_ms: number; to_ms: number }) =>
    fetchReading(context, okx, {
      path:
        `/api/v5/market/history-candles?instId=${base}-USDT&bar=1Dutc&limit=${PAGE_BARS}` + `&after=${to_ms + DAY_MS}`,
      schema: Answer,
      ttl_ms: 0,
      read({ code, data }) {
        if (code !== "0") return `error code ${code.slice(0, 20)}`;
        if (data.length === 0) return "no bars";
        return data
          .filter(([, , , , , , , , confirmed]) => confirmed === "1")
          .map(
            ([t_ms, open, high, low, close, volume]): Bar => ({
              t_ms: Number(t_ms),
              open: Number(open),
              high: Number(high),
              low: Number(low),
              close: Number(close),
              volume: Number(volume),
            }),
          );
      },
    });
  return fetchDailyBars(context, okx, {
    count,
    fetchWindow: (window) => fetchPages(window, PAGE_BARS, fetchPage),
  });
}
