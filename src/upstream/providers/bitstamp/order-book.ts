import { Type } from "@sinclair/typebox";
import { BookSide, defineBook, readBook } from "../order-book.ts";
import { bitstamp } from "./provider.ts";

const Answer = Type.Object({
  /** Microseconds. */
  microtimestamp: Type.String({ pattern: "^[1-9][0-9]{14,17}$" }),
  bids: BookSide,
  asks: BookSide,
});

/** The book of BASE/USD, in USD, with the time Bitstamp states. The answer always holds the whole book. */
export const fetchBitstampBook = defineBook(bitstamp, {
  path: (base) => `/api/v2/order_book/${base.toLowerCase()}usd/`,
  schema: Answer,
  read: (answer) => readBook(answer, Math.floor(Number(answer.microtimestamp) / 1000)),
});
