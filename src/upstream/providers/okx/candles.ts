import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { defineCandles, toBar } from "../candle-row.ts";
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

/** Bars of BASE/USDT, in USDT. The plain "1D" is a Hong Kong day, hence "1Dutc". */
export const fetchOkxBars = defineCandles(okx, {
  page_bars: PAGE_BARS,
  ask: ({ base, interval }, { to_ms, step_ms }) => ({
    path:
      `/api/v5/market/history-candles?instId=${base}-USDT&bar=${BARS[interval]}&limit=${PAGE_BARS}` +
      `&after=${to_ms + step_ms}`,
  }),
  schema: Answer,
  read({ code, data }) {
    if (code !== "0") return unusable(`error code ${code.slice(0, 20)}`);
    if (data.length === 0) return unusable("no bars");
    return data
      .filter(([, , , , , , , , confirmed]) => confirmed === "1")
      .map(([t_ms, open, high, low, close, volume]) => toBar(Number(t_ms), [open, high, low, close, volume]));
  },
});
