import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { BookSide, defineBook, readBook } from "../order-book.ts";
import { cryptocom } from "./provider.ts";

/** More it does not give. */
const LEVELS = 50;

const Book = Type.Object({ bids: BookSide, asks: BookSide, t: Type.Optional(Type.Integer({ minimum: 1 })) });
const Answer = Type.Object({
  code: Type.Integer(),
  result: Type.Optional(Type.Object({ data: Whole("one", Book, { minItems: 1, maxItems: 1 }) })),
});

/** The book of BASE/USD, in USD (a bundle of dollars and stablecoins there), with its time (ms) where it is stated. */
export const fetchCryptocomBook = defineBook(cryptocom, {
  path: (base) => `/public/get-book?instrument_name=${base}_USD&depth=${LEVELS}`,
  schema: Answer,
  read({ code, result }) {
    if (code !== 0) return unusable(`error code ${code}`);
    const book = result?.data[0];
    return book ? readBook(book, book.t ?? null) : unusable("no book");
  },
});
