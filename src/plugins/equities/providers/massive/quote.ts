import { Type } from "@sinclair/typebox";
import type { FetchContext } from "intel-node";
import type { VendorQuote } from "../../shared/vendor-quote.ts";
import { massive } from "./provider.ts";

const Bar = Type.Object({
  ...{ o: Type.Number({ minimum: 0 }), h: Type.Number({ minimum: 0 }), l: Type.Number({ minimum: 0 }) },
  ...{ c: Type.Number({ minimum: 0 }), v: Type.Number({ minimum: 0 }) },
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
/** Bars of a day that has not begun are zeros, which are no prices. */
const some = (value: number): number | null => (value > 0 ? value : null);

/** The last trade of a US share; its times are nanoseconds. @throws UpstreamError */
export function fetchMassiveQuote(context: Pick<FetchContext, "get">, symbol: string): Promise<VendorQuote> {
  return context.get(massive, {
    path: `/v2/snapshot/locale/us/markets/stocks/tickers/${encodeURIComponent(symbol)}`,
    schema: Answer,
    ttl_ms: 15_000,
    errors: [{ status: 404, schema: Unknown, means: "not_found" }],
    read: ({ ticker: { day, prevDay, lastTrade } }) => ({
      ...{ currency: "USD", price: lastTrade.p, name: null, at_ms: Math.floor(lastTrade.t / 1e6) },
      ...{ open: some(day.o), high: some(day.h), low: some(day.l), volume: day.v },
      ...{ prev_close: some(prevDay.c), delay_minutes: null },
    }),
  });
}
