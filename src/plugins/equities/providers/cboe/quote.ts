import { type Static, Type } from "@sinclair/typebox";
import { type Calendar, type FetchContext, toInstant, unusable } from "intel-node";
import { findSessionOf } from "../../markets/regular-session.ts";
import { readStatedPrice, type VendorQuote } from "../../vendors/vendor-quote.ts";
import { cboe } from "./provider.ts";

const Price = Type.Number({ minimum: 0 });
const Data = Type.Object({
  current_price: Type.Number({ exclusiveMinimum: 0 }),
  price_change: Type.Number(),
  open: Price,
  high: Price,
  low: Price,
  close: Price,
  prev_day_close: Price,
  volume: Type.Optional(Price),
  last_trade_time: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}" }),
});
const Answer = Type.Object({ data: Data });
const [DELAY_MINUTES, MINUTE_MS] = [15, 60_000];
/** Two prices that differ by less are one: half a cent. */
const SAME_USD = 0.005;

/**
 * The close of the session before. `prev_day_close` is that until it turns into the day's own close in the night, and
 * `price_change` belongs to Cboe's last print, which is known only while the figures agree with each other.
 */
function readPreviousClose({ current_price, close, prev_day_close, price_change }: Static<typeof Data>) {
  const isSame = (a: number, b: number): boolean => Math.abs(a - b) < SAME_USD;
  const fits = [current_price, close].some((price) => isSame(prev_day_close + price_change, price));
  if (fits && prev_day_close > 0) return prev_day_close;
  return isSame(current_price, close) ? readStatedPrice(Math.round((close - price_change) * 1e4) / 1e4) : null;
}

/**
 * The last price of a US share, 15 minutes late. `current_price` is the last print at Cboe itself: the price while New
 * York trades. Once it does not, the price is `close`, the official one, which Cboe's last print misses. There is
 * nothing of extended hours. An unknown symbol is a 403.
 * @throws UpstreamError
 */
export function fetchCboeQuote(
  context: Pick<FetchContext, "get" | "now_ms">,
  { symbol, calendar }: { readonly symbol: string; readonly calendar: Calendar },
): Promise<VendorQuote> {
  return context.get(cboe, {
    path: `/quotes/${encodeURIComponent(symbol)}.json`,
    schema: Answer,
    ttl_ms: 60_000,
    read({ data }) {
      const [date = "", time = ""] = data.last_trade_time.split("T");
      const seconds_ms = Number(time.slice(6, 8)) * 1000;
      const printed_ms = toInstant("America/New_York", date, time.slice(0, 5) as `${number}:${number}`) + seconds_ms;
      const session = findSessionOf(calendar, date);
      if (!session) return unusable("no session of the last trade is known");
      const is_over = context.now_ms - DELAY_MINUTES * MINUTE_MS >= session.close_ms;
      if (is_over && data.close <= 0) return unusable("no official close");
      const prev_close = readPreviousClose(data);
      const unknown = "prev_close: the vendor's figures do not tell the close of the session before";
      return {
        currency: "USD",
        price: is_over ? data.close : data.current_price,
        name: null,
        at_ms: is_over ? session.close_ms : printed_ms,
        open: readStatedPrice(data.open),
        high: readStatedPrice(data.high),
        low: readStatedPrice(data.low),
        volume: data.volume ?? null,
        prev_close,
        delay_minutes: DELAY_MINUTES,
        warnings: prev_close === null ? [unknown] : [],
      };
    },
  });
}
