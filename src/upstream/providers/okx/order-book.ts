import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { BOOK_LEVELS, BookSide, defineBook, readBook } from "../order-book.ts";
import { TimeText } from "../quote.ts";
import { okx } from "./provider.ts";

const Answer = Type.Object({
  code: Type.String(),
  data: Whole("one", Type.Object({ bids: BookSide, asks: BookSide, ts: TimeText }), { maxItems: 1 }),
});

/** The book of BASE/USDT, in USDT, with the time OKX states (ms). */
export const fetchOkxBook = defineBook(okx, {
  path: (base) => `/api/v5/market/books?instId=${base}-USDT&sz=${BOOK_LEVELS}`,
  schema: Answer,
  read({ code, data: [book] }) {
    if (code !== "0") return unusable(`error code ${code.slice(0, 20)}`);
    return book ? readBook(book, Number(book.ts)) : unusable("no book");
  },
});
