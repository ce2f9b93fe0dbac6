import { Type } from "@sinclair/typebox";
import { type BookContext, BookSide, fetchOrderBook, type OrderBook, readBook } from "../order-book.ts";
import { coinbase } from "./provider.ts";

const TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?Z$";
const Answer = Type.Object({
  bids: BookSide,
  asks: BookSide,
  time: Type.Optional(Type.String({ pattern: TIME })),
  auction_mode: Type.Optional(Type.Boolean()),
});

/**
 * The book of BASE/USD, in USD. Level 2 is the whole book, aggregated: megabytes for the larger coins. During an
 * auction its prices are only indicative, so that book is refused.
 * @throws UpstreamError
 */
export function fetchCoinbaseBook(context: BookContext, base: string, timeout_ms = 3_000): Promise<OrderBook> {
  return fetchOrderBook(context, coinbase, {
    path: `/products/${base}-USD/book?level=2`,
    schema: Answer,
    timeout_ms,
    read: (answer) =>
      answer.auction_mode === true
        ? "the book is in an auction"
        : readBook(answer, answer.time === undefined ? null : Date.parse(answer.time)),
  });
}
