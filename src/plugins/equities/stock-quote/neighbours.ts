import { addDays, type Calendar } from "intel-node";
import { getMid } from "intel-node/providers/quote";
import { getBpsOutsideRange, OUTSIDE_RANGE_BPS_MAX } from "../markets/day-range.ts";
import { findSessionAt } from "../markets/regular-session.ts";
import type { StockQuoteInputs } from "./fetch.ts";

const BPS = 10_000;
/** A quote of the same share, or its token, that differs by more contradicts a price; the feed moves in steps of 50. */
export const DEVIATION_BPS_MAX = 100;
/** A wider book has no meaningful middle, and contradicts nothing. */
const SPREAD_BPS_MAX = 50;

/** Figures beside a price that can contradict it. */
export const NEIGHBOURS = ["day_range", "share", "oracle", "token", "vendor"] as const;
type Neighbour = (typeof NEIGHBOURS)[number];

const midOf = (book: { readonly bid: number; readonly ask: number } | null): number | null => {
  if (!book) return null;
  const mid = getMid(book);
  return ((book.ask - book.bid) / mid) * BPS <= SPREAD_BPS_MAX ? mid : null;
};

/** The session that a price is of decides what may contradict it. */
interface Dated {
  readonly price: number;
  readonly at_ms: number;
}

/** How many sessions a feed can be unchanged: it moves once a day, and with half a percent. */
const SESSIONS_BEHIND_MAX = 1;

type Quotes = Pick<StockQuoteInputs, "share" | "oracle" | "token" | "vendor">;

const isOfSession = (calendar: Calendar, at_ms: number, priced_ms: number): boolean =>
  findSessionAt(calendar, at_ms)?.date === findSessionAt(calendar, priced_ms)?.date;

/** Low, high and volume of a price's session; null where not stated for that session. */
export function readDay({ at_ms }: Dated, { share, vendor }: Pick<Quotes, "share" | "vendor">, calendar: Calendar) {
  const own = share && isOfSession(calendar, share.at_ms, at_ms) ? share : null;
  const other = vendor && isOfSession(calendar, vendor.quote.at_ms ?? at_ms, at_ms) ? vendor.quote : null;
  return {
    // A vendor's day replaces what the share's own source does not state.
    low: own?.day_low ?? other?.low ?? null,
    high: own?.day_high ?? other?.high ?? null,
    volume: own?.volume ?? other?.volume ?? null,
  };
}

/**
 * Which figures beside a price contradict it beyond the bounds above: the price and the figure cannot both be right,
 * and which of them is wrong is unknown. Outside trading hours too, when a token may have moved alone. A figure of
 * another day contradicts nothing: a range is of the price's own session, and a feed unchanged for more than a
 * session, which it does not while the price moves, has been given up.
 */
export function findContradictions(dated: Dated, quoted: Quotes, calendar: Calendar): readonly Neighbour[] {
  const { price, at_ms } = dated;
  const { share, oracle, token, vendor } = quoted;
  const sessionOf = (ms: number): string => findSessionAt(calendar, ms)?.date ?? "";
  const isOfDay = (ms: number): boolean => isOfSession(calendar, ms, at_ms);
  const countSince = (ms: number): number =>
    calendar.countTradingDays(addDays(sessionOf(ms), 1), addDays(sessionOf(at_ms), 1));
  const isNear = (ms: number): boolean => ms >= at_ms || countSince(ms) <= SESSIONS_BEHIND_MAX;
  const quotes: Readonly<Record<Exclude<Neighbour, "day_range">, number | null>> = {
    share: share && isOfDay(share.at_ms) ? midOf(share) : null,
    oracle: oracle && isNear(oracle.updated_at_ms) ? oracle.price : null,
    token: midOf(token),
    vendor: vendor && isOfDay(vendor.quote.at_ms ?? at_ms) ? vendor.quote.price : null,
  };
  return NEIGHBOURS.filter((neighbour) => {
    if (neighbour === "day_range")
      return getBpsOutsideRange(price, readDay(dated, quoted, calendar)) > OUTSIDE_RANGE_BPS_MAX;
    const figure = quotes[neighbour];
    return figure !== null && Math.abs(price / figure - 1) * BPS > DEVIATION_BPS_MAX;
  });
}
