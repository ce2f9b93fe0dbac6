import { Type } from "@sinclair/typebox";
import { type FetchContext, toInstant } from "intel-node";
import type { VendorQuote } from "../../shared/vendor-quote.ts";
import { cboe } from "./provider.ts";

const Price = Type.Number({ minimum: 0 });
const Answer = Type.Object({
  data: Type.Object({
    ...{ current_price: Type.Number({ exclusiveMinimum: 0 }), price_change: Type.Number() },
    ...{ open: Price, high: Price, low: Price, volume: Price },
    last_trade_time: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}" }),
  }),
});
const DELAY_MINUTES = 15;
const some = (value: number): number | null => (value > 0 ? value : null);

/**
 * The last price of a US share, 15 minutes late. Its `prev_day_close` repeats before the open, so the close before is
 * the price less its change; its times are New York's. What it does not know is a 403.
 * @throws UpstreamError
 */
export function fetchCboeQuote(context: Pick<FetchContext, "get">, symbol: string): Promise<VendorQuote> {
  return context.get(cboe, {
    path: `/quotes/${encodeURIComponent(symbol)}.json`,
    schema: Answer,
    ttl_ms: 60_000,
    read({ data }) {
      const [date = "", time = ""] = data.last_trade_time.split("T");
      const seconds = Number(time.slice(6, 8)) * 1000;
      return {
        ...{ currency: "USD", price: data.current_price, name: null },
        at_ms: toInstant("America/New_York", date, time.slice(0, 5) as `${number}:${number}`) + seconds,
        ...{ open: some(data.open), high: some(data.high), low: some(data.low), volume: data.volume },
        ...{ prev_close: some(data.current_price - data.price_change), delay_minutes: DELAY_MINUTES },
      };
    },
  });
}
