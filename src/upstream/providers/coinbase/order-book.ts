import { Type } from "@sinclair/typebox";
import { type Unusable, unusable } from "../../../catalog/unusable.ts";
import { compileSchema } from "../../../core/compile-schema.ts";
import { BOOK_LEVELS, BookSide, defineBook, type OrderBook, readBook } from "../order-book.ts";
import { coinbase } from "./provider.ts";

const TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?Z$";
const Answer = compileSchema(
  Type.Object({
    bids: BookSide,
    asks: BookSide,
    time: Type.Optional(Type.String({ pattern: TIME })),
    auction_mode: Type.Optional(Type.Boolean()),
  }),
);

/** Rows hold texts and numbers only, so that the first bracket closes them. */
const ROW = /\s*\[[^[\]]*\]\s*,/y;
const END = /\]\s*\]/g;

/** The text of an answer without the rows of a side that nobody reads; untouched when that side is not longer. */
function shortenSide(text: string, side: RegExp): string {
  const start = side.exec(text);
  if (!start) return text;
  ROW.lastIndex = start.index + start[0].length;
  let end = 0;
  for (let rows = 0; rows < BOOK_LEVELS; rows += 1) {
    if (!ROW.test(text)) return text;
    end = ROW.lastIndex;
  }
  END.lastIndex = end;
  const last = END.exec(text);
  // From after the last row that stays, without its comma, to the bracket that closes the side.
  return last ? text.slice(0, end - 1) + text.slice(END.lastIndex - 1) : text;
}

/** The book in an answer, or why it cannot be used. */
function readAnswer(text: string): OrderBook | Unusable {
  let answer: unknown;
  try {
    answer = JSON.parse(shortenSide(shortenSide(text, /"bids"\s*:\s*\[/), /"asks"\s*:\s*\[/));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return unusable("the answer is not JSON");
  }
  if (!Answer.Check(answer)) return unusable("the answer has another shape");
  if (answer.auction_mode === true) return unusable("the book is in an auction");
  return readBook(answer, answer.time === undefined ? null : Date.parse(answer.time));
}

/**
 * The book of BASE/USD, in USD. Level 2 is the whole book, aggregated: tens of thousands of levels, megabytes, for the
 * larger coins. To parse them all would hold up everybody else, so that the text is cut before. During an auction its
 * prices are only indicative, and that book is refused.
 */
export const fetchCoinbaseBook = defineBook(coinbase, {
  path: (base) => `/products/${base}-USD/book?level=2`,
  format: "text",
  schema: Type.String(),
  read: readAnswer,
});
