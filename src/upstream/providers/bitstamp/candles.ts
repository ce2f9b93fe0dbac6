import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { defineCandles, toBar } from "../candle-row.ts";
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

/** Bars of BASE/USD, in USD. */
export const fetchBitstampBars = defineCandles(bitstamp, {
  page_bars: PAGE_BARS,
  ask({ base }, { from_ms, to_ms, step_ms }) {
    const limit = (to_ms - from_ms) / step_ms + 1;
    return {
      path: `/api/v2/ohlc/${base.toLowerCase()}usd/?step=${step_ms / 1000}&limit=${limit}&start=${from_ms / 1000}`,
    };
  },
  schema: Answer,
  read: ({ data }, { base }) =>
    data.pair !== `${base}/USD`
      ? unusable("the answer is about another pair")
      : data.ohlc.map(({ timestamp, open, high, low, close, volume }) =>
          toBar(Number(timestamp) * 1000, [open, high, low, close, volume]),
        ),
});
