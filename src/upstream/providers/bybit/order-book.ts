import { Type } from "@sinclair/typebox";
import { unusable } from "../../../catalog/unusable.ts";
import { BOOK_LEVELS, BookSide, defineBook, readBook } from "../order-book.ts";
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

/** The book of BASE/USDT, in USDT, with the time (ms) at which Bybit made it. */
export const fetchBybitBook = defineBook(bybit, {
  path: (base) => `/v5/market/orderbook?category=spot&symbol=${base}USDT&limit=${BOOK_LEVELS}`,
  schema: Answer,
  read({ retCode, result }, base) {
    if (retCode !== 0) return unusable(`error code ${retCode}`);
    const { s, b: bids, a: asks, ts } = result;
    if (!bids || !asks || s !== `${base}USDT`) return unusable("no book of this symbol");
    return readBook({ bids, asks }, ts ?? null);
  },
});
