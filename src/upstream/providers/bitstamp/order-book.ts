import { Type } from "@sinclair/typebox";
import { type BookContext, BookSide, fetchOrderBook, type OrderBook, readBook } from "../order-book.ts";
import { bitstamp } from "./provider.ts";

const Answer = Type.Object({
  /** Microseconds. */
  microtimestamp: Type.String({ pattern: "^[1-9][0-9]{14,17}$" }),
  bids: BookSide,
  asks: BookSide,
});

/**
 * The book of BASE/USD, in USD, with the time Bitstamp states. The answer always holds the whole book.
 * @throws UpstreamError
 */
export function fetchBitstampBook(context: BookContext, base: string, timeout_ms = 3_000): Promise<OrderBook> {
  return fetchOrderBook(context, bitstamp, {
    path: `/api/v2/order_book/${base.toLowerCase()}usd/`,
    schema: Answer,
    timeout_ms,
    read: (answer) => readBook(answer, Math.floor(Number(answer.microtimestamp) / 1000)),
  });
}
