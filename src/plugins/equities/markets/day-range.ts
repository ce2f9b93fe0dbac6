const BPS = 10_000;
/** A price of the day is in the day's range, except for the closing auction and rounding. */
export const OUTSIDE_RANGE_BPS_MAX = 10;

/** How far a price is outside the day's range, basis points; 0 inside it, and without one. */
export function getBpsOutsideRange(price: number, { low, high }: { low: number | null; high: number | null }): number {
  const under = low === null ? 0 : (low / price - 1) * BPS;
  const over = high === null ? 0 : (1 - high / price) * BPS;
  return Math.max(0, under, over);
}
