import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { BOOK_LEVELS, type BookContext, BookSide, fetchOrderBook, type OrderBook, readBook } from "../order-book.ts";
import { TimeText } from "../quote.ts";
import { okx } from "./provider.ts";

const Answer = Type.Object({
  code: Type.String(),
  data: Whole("one", Type.Object({ bids: BookSide, asks: BookSide, ts: TimeText }), { maxItems: 1 }),
});

/**
 * The book of BASE/USDT, in USDT, with the time OKX states (ms).
 * @throws UpstreamError
 */
export function fetchOkxBook(context: BookContext, base: string, timeout_ms = 3_000): Promise<OrderBook> {
  return fetchOrderBook(context, okx, {
    path: `/api/v5/market/books?instId=${base}-USDT&sz=${BOOK_LEVELS}`,
    schema: Answer,
    timeout_ms,
    read({ code, data: [book] }) {
      if (code !== "0") return unusable(`error code ${code.slice(0, 20)}`);
      return book ? readBook(book, Number(book.ts)) : unusable("no book");
    },
  });
}
