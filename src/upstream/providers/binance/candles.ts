import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { defineCandles, toBar } from "../candle-row.ts";
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

/** Bars of BASE/USDT, in USDT. */
export const fetchBinanceBars = defineCandles(binance, {
  page_bars: PAGE_BARS,
  ask: ({ base, interval }, { from_ms, to_ms, step_ms }) => ({
    path:
      `/api/v3/klines?symbol=${base}USDT&interval=${interval}&limit=${PAGE_BARS}` +
      `&startTime=${from_ms}&endTime=${to_ms + step_ms - 1}`,
  }),
  schema: Answer,
  read: (rows) => rows.map(([t_ms, open, high, low, close, volume]) => toBar(t_ms, [open, high, low, close, volume])),
});
