import type { BookLevel } from "intel-node/providers/order-book";

/** The result of trading into a book. */
export interface BookFill {
  /** Of the base asset. */
  readonly quantity: number;
  /** Volume-weighted average price. */
  readonly vwap: number;
}

/** Rounding of a sum can leave a rest of this share; it is not missing depth. */
const TOLERANCE = 1e-12;

/** Spends exactly `notional` of the quote currency on the asks, best first. Null when they hold less. */
export function spendOnAsks(asks: readonly BookLevel[], notional: number): BookFill | null {
  let left = notional;
  let quantity = 0;
  for (const level of asks) {
    const taken = Math.min(level.quantity, left / level.price);
    quantity += taken;
    left -= taken * level.price;
    if (left <= notional * TOLERANCE) return { quantity, vwap: notional / quantity };
  }
  return null;
}

/** Sells exactly `quantity` of the base asset into the bids, best first. Null when they hold less. */
export function sellIntoBids(bids: readonly BookLevel[], quantity: number): BookFill | null {
  let left = quantity;
  let proceeds = 0;
  for (const level of bids) {
    const taken = Math.min(level.quantity, left);
    proceeds += taken * level.price;
    left -= taken;
    if (left <= quantity * TOLERANCE) return { quantity, vwap: proceeds / quantity };
  }
  return null;
}
