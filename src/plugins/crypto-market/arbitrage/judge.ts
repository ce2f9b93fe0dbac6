import { UpstreamError } from "intel-node";
import type { BookLevel } from "intel-node/providers/order-book";
import type { ArbitrageInputs, VenueBook } from "./fetch.ts";

/** Books with stated times further apart than this are not simultaneous. */
const BOOKS_APART_MAX_MS = 3_000;
/** The newest book must not be older than this against the node's clock, nor dated further ahead. */
const BOOK_AGE_MAX_MS = 10_000;

/** A book whose prices were brought to US dollars. */
export interface UsableBook {
  readonly source: VenueBook;
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  readonly at_ms: number | null;
}

export type BookFault = "error" | "stale" | "no_rate";

export interface CheckedBook {
  readonly source: VenueBook;
  readonly fault: BookFault | null;
  /** Set without a fault. */
  readonly book: UsableBook | null;
}

/**
 * The stated times that lie within 3 s of each other: the largest such group, of equal ones the newest. A single venue
 * with a wrong clock thus cannot make all others look old.
 */
function findTogether(times: readonly number[]): { from_ms: number; to_ms: number } | null {
  const sorted = times.toSorted((a, b) => b - a);
  let best: { from_ms: number; to_ms: number } | null = null;
  let best_count = 0;
  for (const to_ms of sorted) {
    const from_ms = to_ms - BOOKS_APART_MAX_MS;
    const count = sorted.filter((time) => time <= to_ms && time >= from_ms).length;
    if (count > best_count) [best, best_count] = [{ from_ms, to_ms }, count];
  }
  return best;
}

const scale = (levels: readonly BookLevel[], factor: number): readonly BookLevel[] =>
  factor === 1 ? levels : levels.map(({ price, quantity }) => ({ price: price * factor, quantity }));

/**
 * Which books can be compared: those read without a fault, recent, and within 3 s of each other. A book without a
 * stated time is as new as the call, but counts only beside one that does state its time.
 */
export function judgeBooks({ books, read_at_ms, usdt }: ArbitrageInputs): readonly CheckedBook[] {
  const times = books.flatMap(({ outcome }) => {
    const at_ms = outcome.ok ? outcome.value.at_ms : null;
    return at_ms !== null && Math.abs(read_at_ms - at_ms) <= BOOK_AGE_MAX_MS ? [at_ms] : [];
  });
  const together = findTogether(times);
  const usdt_mid = usdt === null ? null : (usdt.bid + usdt.ask) / 2;
  return books.map((source) => {
    const { outcome, quote } = source;
    if (!outcome.ok) return { source, fault: "error", book: null };
    const { at_ms, bids, asks } = outcome.value;
    const is_together = together !== null && (at_ms === null || (at_ms >= together.from_ms && at_ms <= together.to_ms));
    if (!is_together) return { source, fault: "stale", book: null };
    const factor = quote === "USD" ? 1 : usdt_mid;
    if (factor === null) return { source, fault: "no_rate", book: null };
    return { source, fault: null, book: { source, bids: scale(bids, factor), asks: scale(asks, factor), at_ms } };
  });
}

/** The warning of a venue that is not used; none when it is. */
export function warnOf({ source, fault }: CheckedBook, read_at_ms: number): string[] {
  const field = `venues.${source.venue}`;
  const { outcome } = source;
  if (fault === null) return [];
  if (fault === "no_rate") return [`${field}: no USDT/USD rate to convert it with`];
  if (outcome.ok) {
    const { at_ms } = outcome.value;
    if (at_ms === null) return [`${field}: it states no time, and no book beside it states a recent one`];
    return [`${field}: not used, ${Math.round((read_at_ms - at_ms) / 1000)} s old or too far apart from the others`];
  }
  const why = outcome.error instanceof UpstreamError ? outcome.error.kind : "upstream_unavailable";
  return [`${field}: no usable book (${why})`];
}
