import { Type } from "@sinclair/typebox";
import { unusable } from "../../../catalog/unusable.ts";
import { BOOK_LEVELS, type BookContext, BookSide, fetchOrderBook, type OrderBook, readBook } from "../order-book.ts";
import { bybit } from "./provider.ts";

/** The result of an error is an empty object. */
const Answer = Type.Object({
  retCode: Type.Integer(),
  result: Type.Object({
    s: Type.Optional(Type.String()),
    b: Type.Optional(BookSide),
    a: Type.Optional(BookSide),
    ts: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
});

/**
 * The book of BASE/USDT, in USDT, with the time (ms) at which Bybit made it.
 * @throws UpstreamError
 */
export function fetchBybitBook(context: BookContext, base: string, timeout_ms = 3_000): Promise<OrderBook> {
  const symbol = `${base}USDT`;
  return fetchOrderBook(context, bybit, {
    path: `/v5/market/orderbook?category=spot&symbol=${symbol}&limit=${BOOK_LEVELS}`,
    schema: Answer,
    timeout_ms,
    read({ retCode, result }) {
      if (retCode !== 0) return unusable(`error code ${retCode}`);
      const { s, b: bids, a: asks, ts } = result;
      if (!bids || !asks || s !== symbol) return unusable("no book of this symbol");
      return readBook({ bids, asks }, ts ?? null);
    },
  });
}
