import { Type } from "@sinclair/typebox";
import { BOOK_LEVELS, type BookContext, BookSide, fetchOrderBook, type OrderBook, readBook } from "../order-book.ts";
import { binance } from "./provider.ts";

const Answer = Type.Object({ lastUpdateId: Type.Integer({ minimum: 1 }), bids: BookSide, asks: BookSide });

/**
 * The book of BASE/USDT, in USDT. The answer states no time.
 * @throws UpstreamError
 */
export function fetchBinanceBook(context: BookContext, base: string, timeout_ms = 3_000): Promise<OrderBook> {
  return fetchOrderBook(context, binance, {
    path: `/api/v3/depth?symbol=${base}USDT&limit=${BOOK_LEVELS}`,
    schema: Answer,
    timeout_ms,
    read: (answer) => readBook(answer, null),
  });
}
