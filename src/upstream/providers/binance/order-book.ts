import { Type } from "@sinclair/typebox";
import { BOOK_LEVELS, BookSide, defineBook, readBook } from "../order-book.ts";
import { binance } from "./provider.ts";

const Answer = Type.Object({ lastUpdateId: Type.Integer({ minimum: 1 }), bids: BookSide, asks: BookSide });

/** The book of BASE/USDT, in USDT. The answer states no time. */
export const fetchBinanceBook = defineBook(binance, {
  path: (base) => `/api/v3/depth?symbol=${base}USDT&limit=${BOOK_LEVELS}`,
  schema: Answer,
  read: (answer) => readBook(answer, null),
});
