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
import { okx } from "./provider.ts";

const PAGE_BARS = 100;

const BARS = { "1h": "1H", "4h": "4H", "1d": "1Dutc" } as const;

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

const Answer = Type.Object({ code: Type.String(), data: Whole("series", Row, { maxItems: PAGE_BARS }) });

/**
 * Bars of BASE/USDT, in USDT. The plain "1D" is a Hong Kong day, hence "1Dutc".
 * @throws UpstreamError
 */
export function fetchOkxBars(context: BarsContext, { base, interval, count }: BarsRequest): Promise<Bar[]> {
  const fetchPage = ({ to_ms, step_ms }: BarWindow) =>
    context.get(okx, {
      path:
        `/api/v5/market/history-candles?instId=${base}-USDT&bar=${BARS[interval]}&limit=${PAGE_BARS}` +
        `&after=${to_ms + step_ms}`,
      schema: Answer,
      ttl_ms: 0,
      read({ code, data }) {
        if (code !== "0") return unusable(`error code ${code.slice(0, 20)}`);
        if (data.length === 0) return unusable("no bars");
        return readPage(
          data
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
            ),
          to_ms,
        );
      },
    });
  return fetchClosedBars(context, okx, {
    interval,
    count,
    fetchWindow: (window) => fetchPages(window, PAGE_BARS, fetchPage),
  });
}
