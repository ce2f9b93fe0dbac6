import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { defineCandles, toBar } from "../candle-row.ts";
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

const nameOf = (base: string): string => `${base}_USD`;

/** Bars of BASE/USD, in USD (there a bundle of dollar balances and stablecoins). */
export const fetchCryptocomBars = defineCandles(cryptocom, {
  page_bars: PAGE_BARS,
  ask: ({ base, interval }, { from_ms, to_ms, step_ms }) => ({
    path:
      `/public/get-candlestick?instrument_name=${nameOf(base)}&timeframe=${TIMEFRAMES[interval]}&count=${PAGE_BARS}` +
      `&start_ts=${from_ms}&end_ts=${to_ms + step_ms}`,
  }),
  schema: Answer,
  read({ code, result }, { base }) {
    if (code !== 0 || !result) return unusable(`error code ${code}`);
    if (result.instrument_name !== nameOf(base)) return unusable("the answer is about another pair");
    return result.data.map(({ t, o, h, l, c, v }) => toBar(t, [o, h, l, c, v]));
  },
});
