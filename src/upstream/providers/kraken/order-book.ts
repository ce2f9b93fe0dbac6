import { Type } from "@sinclair/typebox";
import { Whole } from "../../../catalog/rows.ts";
import { unusable } from "../../../catalog/unusable.ts";
import { BOOK_LEVELS, BookSide, defineBook, readBook } from "../order-book.ts";
import { getKrakenPair } from "./pair.ts";
import { kraken } from "./provider.ts";

const Answer = Type.Object({
  error: Whole("one", Type.String(), { maxItems: 20 }),
  result: Type.Optional(Type.Record(Type.String(), Type.Object({ bids: BookSide, asks: BookSide }))),
});

/** Time (s) of a level's last change, the third member of its row; NaN if it is missing. */
const getChanged = (row: unknown): number => (Array.isArray(row) && typeof row[2] === "number" ? row[2] : Number.NaN);

/** The book of BASE/USD, in USD, dated by the newest change among its levels: Kraken states no time of the book. */
export const fetchKrakenBook = defineBook(kraken, {
  path: (base) => `/0/public/Depth?pair=${getKrakenPair(base)}&count=${BOOK_LEVELS}`,
  schema: Answer,
  read({ error, result }) {
    if (error.length > 0) return unusable(`error ${error.join(", ").slice(0, 100)}`);
    const [book, ...others] = Object.values(result ?? {});
    if (!book || others.length > 0) return unusable("not exactly one pair");
    const rows = [...book.bids.slice(0, BOOK_LEVELS), ...book.asks.slice(0, BOOK_LEVELS)];
    return readBook(book, Math.max(...rows.map(getChanged)) * 1000);
  },
});
