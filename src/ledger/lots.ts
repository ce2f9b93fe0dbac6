import { type Lot, spreadOverLots } from "./decide/lots.ts";

/** A lot as either engine gives it: `spent` as of the last count, with what can be spent of the whole balance now. */
export interface StoredLot {
  id: bigint;
  at: bigint;
  until: bigint | null;
  credit: bigint;
  spent: bigint;
  available: bigint;
}

/** The order they are spent in: the earliest end first, lots without an end last. */
export const LOT_ORDER = "l.until IS NULL, l.until, l.id";

/** Open lots of a key in their order, each with what can be spent of its balance. */
export const OPEN_LOTS = `SELECT l.id, l.at, l.until, l.credit, l.spent, a.posted - a.pending AS available
  FROM lots l JOIN keys k ON k.id = l.key_id JOIN accounts a ON a.id = k.account
  WHERE l.ended_at IS NULL AND l.key_id = `;

export function readLots(rows: readonly StoredLot[]): readonly Lot[] {
  const left = spreadOverLots(
    rows.map(({ credit, spent }) => credit - spent),
    rows[0]?.available ?? 0n,
  );
  return rows.map(({ id, at, until, credit }, n) => ({
    id: Number(id),
    at_ms: Math.floor(Number(at) / 1000),
    until_ms: until === null ? null : Number(until),
    credit,
    left: left[n] ?? 0n,
  }));
}
