import { Type } from "@sinclair/typebox";
import { compileSchema } from "../../../core/compile-schema.ts";
import {
  BOOK_LEVELS,
  type BookContext,
  type BookRowReader,
  BookSide,
  fetchOrderBook,
  type OrderBook,
  readBook,
} from "../order-book.ts";
import { DecimalText } from "../quote.ts";
import { gemini } from "./provider.ts";

const Level = compileSchema(Type.Object({ price: DecimalText, amount: DecimalText }));
const Answer = Type.Object({ bids: BookSide, asks: BookSide });

const readRow: BookRowReader = (row) =>
  Level.Check(row) ? { price: Number(row.price), quantity: Number(row.amount) } : undefined;

/**
 * The book of BASE/USD, in USD. The time at each level is no time of the book, so none is read.
 * @throws UpstreamError
 */
export function fetchGeminiBook(context: BookContext, base: string, timeout_ms = 3_000): Promise<OrderBook> {
  return fetchOrderBook(context, gemini, {
    path: `/v1/book/${base.toLowerCase()}usd?limit_bids=${BOOK_LEVELS}&limit_asks=${BOOK_LEVELS}`,
    schema: Answer,
    timeout_ms,
    read: (answer) => readBook(answer, null, readRow),
  });
}
