import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { INTERVALS_MS } from "../bars.ts";
import { defineCandles, toBar } from "../candle-row.ts";
import { DecimalText } from "../quote.ts";
import { getKrakenPair } from "./pair.ts";
import { kraken } from "./provider.ts";

/** Time (s), open, high, low, close, vwap, volume, number of trades. */
const Row = Type.Tuple([
  Type.Integer({ minimum: 0 }),
  DecimalText,
  DecimalText,
  DecimalText,
  DecimalText,
  DecimalText,
  DecimalText,
  Type.Integer({ minimum: 0 }),
]);

const Answer = Type.Object({
  error: Whole("one", Type.String(), { maxItems: 20 }),
  // Besides the pair's rows there is "last", a time.
  result: Type.Optional(
    Type.Record(Type.String(), Type.Union([Whole("series", Row, { minItems: 1, maxItems: 1_000 }), Type.Integer()])),
  ),
});

const MINUTE_MS = 60_000;

/** Kraken gives its newest 720 bars, the open one included, whatever is asked for. */
export const KRAKEN_BARS_MAX = 719;

/** Bars of BASE/USD, in USD. The answer's key is another name of the pair, so it is read by position. */
export const fetchKrakenBars = defineCandles(kraken, {
  page_bars: null,
  ask: ({ base, interval }) => ({
    path: `/0/public/OHLC?pair=${getKrakenPair(base)}&interval=${INTERVALS_MS[interval] / MINUTE_MS}`,
  }),
  schema: Answer,
  read({ error, result }) {
    if (error.length > 0) return unusable(`error ${error.join(", ").slice(0, 100)}`);
    const [rows, ...others] = Object.values(result ?? {}).filter((value) => typeof value !== "number");
    if (!rows || others.length > 0) return unusable("not exactly one pair");
    return rows.map(([time_s, open, high, low, close, , volume]) =>
      toBar(time_s * 1000, [open, high, low, close, volume]),
    );
  },
});
