import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { FetchContext } from "../../catalog/context.ts";
import type { ProviderDefinition } from "../../catalog/provider.ts";
import { Whole } from "../../catalog/rows.ts";
import { isUnusable, type Unusable, unusable } from "../../catalog/unusable.ts";
import { compileSchema } from "../../core/compile-schema.ts";
import { CLOCK_SKEW_MAX_MS } from "./clock-skew.ts";
import { DecimalText } from "./quote.ts";

/** What is on offer at one price. */
export interface BookLevel {
  /** In the quote currency. */
  readonly price: number;
  /** In the base asset; above 0. */
  readonly quantity: number;
}

/** The first levels of one spot pair, best price first. Both sides have at least one. */
export interface OrderBook {
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  /** Time the venue states for it, ms; null when it states none: the book is then as new as the call. */
  readonly at_ms: number | null;
}

export type BookContext = Pick<FetchContext, "get" | "now_ms">;

/** Levels a side that are read; what lies deeper is left out. */
export const BOOK_LEVELS = 100;

/**
 * One side of a book in an answer. Some venues always send all of it, thousands of levels: only the first ones are
 * looked into, by `readLevels`.
 */
export const BookSide = Whole("book", Type.Unknown(), { minItems: 1, maxItems: 200_000 });

/** Price and quantity, then what the venue adds: a number of orders, a time. */
const PairRow = compileSchema(
  Whole("parts", Type.Union([DecimalText, Type.Number({ minimum: 0 })]), { minItems: 2, maxItems: 4 }),
);

/** A row of the venue brought to a level; undefined when it has another shape. */
export type BookRowReader = (row: unknown) => BookLevel | undefined;

const Text = compileSchema(DecimalText);

/** Reads rows such as ["64000.0", "0.5"], whatever follows the first two. Both are decimal texts. */
const readPairRow: BookRowReader = (row) => {
  if (!PairRow.Check(row)) return undefined;
  const [price, quantity] = row;
  return Text.Check(price) && Text.Check(quantity) ? { price: Number(price), quantity: Number(quantity) } : undefined;
};

/** The first levels of a side; undefined when one of them cannot be read. A level without quantity is no level. */
function readLevels(rows: readonly unknown[], readRow: BookRowReader = readPairRow): BookLevel[] | undefined {
  const levels: BookLevel[] = [];
  for (const row of rows.slice(0, BOOK_LEVELS)) {
    const level = readRow(row);
    if (!level) return undefined;
    if (level.quantity > 0) levels.push(level);
  }
  return levels;
}

/** Both sides read by `readLevels`, or why they cannot be. */
export function readBook(
  { bids, asks }: { readonly bids: readonly unknown[]; readonly asks: readonly unknown[] },
  at_ms: number | null,
  readRow: BookRowReader = readPairRow,
): OrderBook | Unusable {
  const [bid_levels, ask_levels] = [readLevels(bids, readRow), readLevels(asks, readRow)];
  if (!bid_levels || !ask_levels) return unusable("a level of the book cannot be read");
  return { bids: bid_levels, asks: ask_levels, at_ms };
}

/** As for quotes: a wider book has no meaningful middle. */
const SPREAD_RATIO_MAX = 0.05;
/** Calls for several pairs and from several products share one answer for this long. */
const BOOK_TTL_MS = 1_000;

const isSorted = (levels: readonly BookLevel[], sign: 1 | -1): boolean =>
  levels.every(({ price }, index) => index === 0 || sign * (price - (levels[index - 1]?.price ?? price)) >= 0);

function findBookFault({ bids, asks, at_ms }: OrderBook, now_ms: number): Unusable | undefined {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  if (bid === undefined || ask === undefined) return unusable("one side of the book is empty");
  const prices = [...bids, ...asks].map(({ price }) => price);
  if (!prices.every((price) => price > 0 && Number.isFinite(price))) return unusable("a price is not above 0");
  if (!isSorted(bids, -1) || !isSorted(asks, 1)) return unusable("the book is not sorted by price");
  if (ask < bid) return unusable(`the book is crossed: bid ${bid}, ask ${ask}`);
  if (ask / bid - 1 > SPREAD_RATIO_MAX) return unusable(`the spread is above ${SPREAD_RATIO_MAX * 100} %`);
  if (at_ms !== null && !Number.isFinite(at_ms)) return unusable("the time cannot be read");
  if (at_ms !== null && at_ms > now_ms + CLOCK_SKEW_MAX_MS) return unusable("the time lies in the future");
  return undefined;
}

/** What is a venue's own in how it gives a book. */
interface BookRow<S extends TSchema> {
  readonly path: (base: string) => string;
  readonly schema: S;
  readonly format?: "json" | "text";
  readonly read: (answer: Static<S>, base: string) => OrderBook | Unusable;
}

/**
 * A venue's reader of the book of one coin. It refuses a book that is crossed, unsorted, empty on a side, very wide or
 * dated in the future. An old one is handed over with its date: how old is too old is for the product to say.
 * @throws UpstreamError
 */
export const defineBook =
  <S extends TSchema>(provider: ProviderDefinition, { path, schema, format = "json", read }: BookRow<S>) =>
  (context: BookContext, base: string, timeout_ms = 3_000): Promise<OrderBook> =>
    context.get(provider, {
      path: path(base),
      schema,
      format,
      timeout_ms,
      ttl_ms: BOOK_TTL_MS,
      read(answer) {
        const book = read(answer, base);
        return isUnusable(book) ? book : (findBookFault(book, context.now_ms) ?? book);
      },
    });
