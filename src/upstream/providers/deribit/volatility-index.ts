import { Type } from "@sinclair/typebox";
import type { FetchContext } from "../../../catalog/context.ts";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { DAY_MS } from "../bars.ts";
import { CLOCK_SKEW_MAX_MS } from "../clock-skew.ts";
import { deribit } from "./provider.ts";

/** One day of a volatility index, closed. */
export interface VolatilityDay {
  /** Start of the day, ms. */
  readonly t_ms: number;
  /** Implied volatility of the next 30 days at the day's end, percent per year. */
  readonly close: number;
}

const DAYS_MAX = 400;
/** Percent. Fractions such as 0.55 are in another unit, and no index of a coin has been outside. */
const VALUE_MIN = 5;
const VALUE_MAX = 500;

const Value = Type.Number({ minimum: 0 });
/** Start of the candle (ms), open, high, low, close. */
const Row = Type.Tuple([Type.Integer({ minimum: 1 }), Value, Value, Value, Value]);
/** Refusals come as `error` without a `result`. */
const Answer = Type.Object({
  result: Type.Object({
    data: Whole("series", Row, { maxItems: DAYS_MAX }),
    /** Where an answer that was cut off goes on; null when it is whole. */
    continuation: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  }),
});

const isSound = (values: readonly number[]): boolean => {
  const [open = Number.NaN, high = Number.NaN, low = Number.NaN, close = Number.NaN] = values;
  return low >= VALUE_MIN && high <= VALUE_MAX && high >= Math.max(open, close) && low <= Math.min(open, close);
};

/**
 * The closed days of a coin's volatility index (DVOL), oldest first. The day that is still open is left out; an answer
 * with a candle that contradicts itself or without any closed day is refused.
 * @param days how many days back from now, 1 to 400.
 * @throws UpstreamError
 */
export function fetchVolatilityIndex(
  context: Pick<FetchContext, "get" | "now_ms">,
  { currency, days }: { readonly currency: "BTC" | "ETH"; readonly days: number },
): Promise<readonly VolatilityDay[]> {
  const { now_ms } = context;
  // The same address all day long, so that calls share one answer.
  const end_ms = (Math.floor(now_ms / DAY_MS) + 1) * DAY_MS;
  const query = `start_timestamp=${end_ms - (days + 1) * DAY_MS}&end_timestamp=${end_ms}&resolution=1D`;
  return context.get(deribit, {
    path: `/public/get_volatility_index_data?currency=${currency}&${query}`,
    schema: Answer,
    ttl_ms: 300_000,
    read({ result: { data } }) {
      if (data.some(([t_ms]) => t_ms > now_ms + CLOCK_SKEW_MAX_MS)) return unusable("a candle starts in the future");
      if (!data.every(([, ...values]) => isSound(values)))
        return unusable("a candle contradicts itself or is in another unit");
      const closed = data.filter(([t_ms]) => t_ms + DAY_MS <= now_ms).sort(([a], [b]) => a - b);
      return closed.length > 0 ? closed.map(([t_ms, , , , close]) => ({ t_ms, close })) : unusable("no closed day");
    },
  });
}
