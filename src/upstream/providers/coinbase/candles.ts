import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { renderTime } from "../../../core/clock.ts";
import { defineCandles, toBar } from "../candle-row.ts";
import { coinbase } from "./provider.ts";

const PAGE_BARS = 300;
const Price = Type.Number({ exclusiveMinimum: 0 });

/** Time (s), then low and high before open and close, then volume. Newest first. */
const Row = Type.Tuple([Type.Integer({ minimum: 0 }), Price, Price, Price, Price, Type.Number({ minimum: 0 })]);

const Answer = Whole("series", Row, { minItems: 1, maxItems: PAGE_BARS + 1 });

/** Bars of BASE/USD, in USD. There are none of four hours. */
export const fetchCoinbaseBars = defineCandles(coinbase, {
  page_bars: PAGE_BARS,
  ask: ({ base }, { from_ms, to_ms, step_ms }) => ({
    path:
      `/products/${base}-USD/candles?granularity=${step_ms / 1000}` +
      `&start=${renderTime(from_ms)}&end=${renderTime(to_ms)}`,
  }),
  schema: Answer,
  read: (rows) =>
    rows.map(([time_s, low, high, open, close, volume]) => toBar(time_s * 1000, [open, high, low, close, volume])),
});
