import { Type } from "@sinclair/typebox";
import { compileSchema } from "../../../core/compile-schema.ts";
import { BOOK_LEVELS, type BookRowReader, BookSide, defineBook, readBook } from "../order-book.ts";
import { DecimalText } from "../quote.ts";
import { gemini } from "./provider.ts";

const Level = compileSchema(Type.Object({ price: DecimalText, amount: DecimalText }));
const Answer = Type.Object({ bids: BookSide, asks: BookSide });

const readRow: BookRowReader = (row) =>
  Level.Check(row) ? { price: Number(row.price), quantity: Number(row.amount) } : undefined;

/** The book of BASE/USD, in USD. The time at each level is no time of the book, so none is read. */
export const fetchGeminiBook = defineBook(gemini, {
  path: (base) => `/v1/book/${base.toLowerCase()}usd?limit_bids=${BOOK_LEVELS}&limit_asks=${BOOK_LEVELS}`,
  schema: Answer,
  read: (answer) => readBook(answer, null, readRow),
});
