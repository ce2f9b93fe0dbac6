import { Type } from "@sinclair/typebox";
import { type FetchContext, UpstreamError } from "intel-node";
import { readStatedPrice, type VendorQuote } from "../../vendors/vendor-quote.ts";
import { finnhub } from "./provider.ts";

const Price = Type.Number({ minimum: 0 });
const Answer = Type.Object({
  c: Price,
  h: Price,
  l: Price,
  o: Price,
  pc: Price,
  t: Type.Integer({ minimum: 0 }),
  d: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
});
/** Two prices that differ by less are one: half a cent. */
const SAME_USD = 0.005;

/** The last price of regular hours of a US share. For unknown symbols it answers zeros. @throws UpstreamError */
export async function fetchFinnhubQuote(context: Pick<FetchContext, "get">, symbol: string): Promise<VendorQuote> {
  const { c, d, h, l, o, pc, t } = await context.get(finnhub, {
    path: `/quote?symbol=${encodeURIComponent(symbol)}`,
    schema: Answer,
    ttl_ms: 15_000,
  });
  if (t === 0 || c === 0) throw new UpstreamError("upstream_not_found", finnhub.id, `${symbol} is not known`);
  const is_of_change = d === undefined || d === null || Math.abs(c - pc - d) < SAME_USD;
  const contradicted = "prev_close: the vendor's change of the day is not from it";
  return {
    currency: "USD",
    price: c,
    name: null,
    at_ms: t * 1000,
    open: readStatedPrice(o),
    high: readStatedPrice(h),
    low: readStatedPrice(l),
    prev_close: is_of_change ? readStatedPrice(pc) : null,
    volume: null,
    delay_minutes: null,
    warnings: is_of_change ? [] : [contradicted],
  };
}
