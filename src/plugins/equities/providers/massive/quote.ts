import { type Static, Type } from "@sinclair/typebox";
import { type Calendar, type FetchContext, toLocal, unusable } from "intel-node";
import { findSessionAt } from "../../markets/regular-session.ts";
import { readStatedPrice, type VendorQuote } from "../../vendors/vendor-quote.ts";
import { massive } from "./provider.ts";

const Bar = Type.Object({
  o: Type.Number({ minimum: 0 }),
  h: Type.Number({ minimum: 0 }),
  l: Type.Number({ minimum: 0 }),
  c: Type.Number({ minimum: 0 }),
  v: Type.Number({ minimum: 0 }),
});
const Answer = Type.Object({
  status: Type.Literal("OK"),
  ticker: Type.Object({
    day: Bar,
    prevDay: Bar,
    lastTrade: Type.Object({ p: Type.Number({ exclusiveMinimum: 0 }), t: Type.Number({ minimum: 1e18 }) }),
  }),
});
const Unknown = Type.Object({ status: Type.Literal("NotFound") });

type Ticker = Static<typeof Answer>["ticker"];

/**
 * The price of regular hours with its time and the close before. `lastTrade` is of extended hours too. The bar of a
 * day is emptied in the night: `prevDay` is then the last session itself, before which nothing is known.
 */
function pickRegular({ day, prevDay, lastTrade }: Ticker, calendar: Calendar, now_ms: number) {
  const traded_ms = Math.floor(lastTrade.t / 1e6);
  const session = findSessionAt(calendar, traded_ms);
  if (!session) return null;
  const is_in_session = traded_ms < session.close_ms;
  if (is_in_session && now_ms < session.close_ms)
    return { price: lastTrade.p, at_ms: traded_ms, bar: day, before: prevDay.c };
  const is_of_day = toLocal(calendar.zone, traded_ms).date === session.date && day.c > 0;
  const bar = is_of_day ? day : prevDay;
  return { price: bar.c, at_ms: session.close_ms, bar, before: is_of_day ? prevDay.c : 0 };
}

/** The last price of regular hours of a US share; its times are nanoseconds. @throws UpstreamError */
export function fetchMassiveQuote(
  context: Pick<FetchContext, "get" | "now_ms">,
  { symbol, calendar }: { readonly symbol: string; readonly calendar: Calendar },
): Promise<VendorQuote> {
  return context.get(massive, {
    path: `/v2/snapshot/locale/us/markets/stocks/tickers/${encodeURIComponent(symbol)}`,
    schema: Answer,
    ttl_ms: 15_000,
    errors: [{ status: 404, schema: Unknown, means: "not_found" }],
    read({ ticker }) {
      const regular = pickRegular(ticker, calendar, context.now_ms);
      if (!regular || regular.price <= 0) return unusable("no price of regular hours");
      const { price, at_ms, bar, before } = regular;
      const prev_close = readStatedPrice(before);
      return {
        currency: "USD",
        price,
        name: null,
        at_ms,
        prev_close,
        delay_minutes: null,
        open: readStatedPrice(bar.o),
        high: readStatedPrice(bar.h),
        low: readStatedPrice(bar.l),
        volume: bar.v,
        warnings: prev_close === null ? ["prev_close: the vendor states none before the last session"] : [],
      };
    },
  });
}
