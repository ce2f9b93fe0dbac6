import { getMid } from "intel-node/providers/quote";
import { getBpsOutsideRange, OUTSIDE_RANGE_BPS_MAX } from "../shared/day-range.ts";
import type { StockQuoteInputs } from "./fetch.ts";

const BPS = 10_000;
/** A quote of the same share, or its token, that differs by more contradicts a price; the feed moves in steps of 50. */
export const DEVIATION_BPS_MAX = 100;
/** A wider book has no meaningful middle, and contradicts nothing. */
const SPREAD_BPS_MAX = 50;

/** What stands beside a price and can contradict it. */
export const NEIGHBOURS = ["day_range", "share", "oracle", "token", "vendor"] as const;
type Neighbour = (typeof NEIGHBOURS)[number];

const midOf = (book: { readonly bid: number; readonly ask: number } | null): number | null => {
  if (!book) return null;
  const mid = getMid(book);
  return ((book.ask - book.bid) / mid) * BPS <= SPREAD_BPS_MAX ? mid : null;
};

/**
 * Which figures beside a price contradict it beyond the bounds above: the price and the figure cannot both be right,
 * and which of them is wrong cannot be told. Outside trading hours too, when a token may have gone on alone.
 */
export function findContradictions(
  price: number,
  { share, oracle, token, vendor }: Pick<StockQuoteInputs, "share" | "oracle" | "token" | "vendor">,
): readonly Neighbour[] {
  const quotes: Readonly<Record<Exclude<Neighbour, "day_range">, number | null>> = {
    share: midOf(share),
    oracle: oracle?.price ?? null,
    token: midOf(token),
    vendor: vendor?.quote.price ?? null,
  };
  const range = {
    low: share?.day_low ?? vendor?.quote.low ?? null,
    high: share?.day_high ?? vendor?.quote.high ?? null,
  };
  return NEIGHBOURS.filter((neighbour) => {
    if (neighbour === "day_range") return getBpsOutsideRange(price, range) > OUTSIDE_RANGE_BPS_MAX;
    const quoted = quotes[neighbour];
    return quoted !== null && Math.abs(price / quoted - 1) * BPS > DEVIATION_BPS_MAX;
  });
}
