import type { Database } from "bun:sqlite";
import { ACCOUNTS, type Transfers } from "./transfers.ts";

/** What one grant brought to a balance, with its own end. Amounts in atomic USDC, times in ms. */
export interface Lot {
  readonly id: number;
  /** When it was granted. */
  readonly at_ms: number;
  /** It can be spent until then; null is for ever. */
  readonly until_ms: number | null;
  readonly credit: bigint;
  /** What of it can still be spent. */
  readonly left: bigint;
}

/** A lot as either engine gives it: `spent` as of the last count, with what can be spent of the whole balance now. */
export interface StoredLot {
  id: bigint;
  at: bigint;
  until: bigint | null;
  credit: bigint;
  spent: bigint;
  available: bigint;
}

/** The order they are spent in: the earliest end first, what has none last. */
export const LOT_ORDER = "l.until IS NULL, l.until, l.id";
/** Open lots of a key in their order, each with what can be spent of its balance. */
export const OPEN_LOTS = `SELECT l.id, l.at, l.until, l.credit, l.spent, a.posted - a.pending AS available
  FROM lots l JOIN keys k ON k.id = l.key_id JOIN accounts a ON a.id = k.account
  WHERE l.ended_at IS NULL AND l.key_id = `;

/**
 * What is left of each lot, when this much can be spent in all: what was drawn since the last count came from the first
 * of them; what came back meanwhile, such as a refund, lives as long as the last. The sum is what can be spent.
 * @param lefts in the order they are spent in, as of the last count.
 */
function spread(lefts: readonly bigint[], available: bigint): readonly bigint[] {
  let drawn = lefts.reduce((sum, left) => sum + left, 0n) - available;
  const after = lefts.map((left) => {
    const taken = drawn < left ? (drawn > 0n ? drawn : 0n) : left;
    drawn -= taken;
    return left - taken;
  });
  const last = after.at(-1);
  return last === undefined || drawn === 0n ? after : [...after.slice(0, -1), last - drawn];
}

export function readLots(rows: readonly StoredLot[]): readonly Lot[] {
  const left = spread(
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

/** A balance, by its key. */
export interface LotsOf {
  readonly id: number;
  readonly public_id: string;
  readonly account: string | null;
  readonly balance_until_ms: number | null;
}

/**
 * The lots of a balance. A call changes none of them: they are counted when one of them ends or another one comes,
 * and only then does it matter which one was spent. Everything in it must run inside a db transaction.
 */
export function createLots(db: Database, { transfers, tick }: { transfers: Transfers; tick: () => number }) {
  const open = db.query<StoredLot, [number]>(`${OPEN_LOTS}? ORDER BY ${LOT_ORDER}`);
  const available = db.query<{ available: bigint }, [string]>(
    "SELECT posted - pending AS available FROM accounts WHERE id = ?",
  );
  const insert = db.query("INSERT INTO lots (key_id, until, credit, spent, at) VALUES (?, ?, ?, ?, ?)");
  const spend = db.query("UPDATE lots SET spent = ? WHERE id = ?");
  const end = db.query("UPDATE lots SET expired = credit - spent, ended_at = ?, transfer_id = ? WHERE id = ?");
  const prolong = db.query("UPDATE lots SET until = max(until, ?) WHERE key_id = ? AND ended_at IS NULL");
  const note_ends = db.query(
    `UPDATE keys SET lot_until = o.first, balance_until = iif(o.endless, NULL, o.last)
     FROM (SELECT min(until) AS first, max(until) AS last, max(until IS NULL) AS endless, count(*) AS n
           FROM lots WHERE key_id = $id AND ended_at IS NULL) AS o
     WHERE keys.id = $id AND o.n > 0`,
  );
  const note_none = db.query(
    `UPDATE keys SET lot_until = NULL
     WHERE id = $id AND NOT EXISTS (SELECT 1 FROM lots WHERE key_id = $id AND ended_at IS NULL)`,
  );
  const noteEnds = (id: number): void => {
    note_ends.run({ $id: id });
    note_none.run({ $id: id });
  };

  const count = ({ id, account, balance_until_ms }: LotsOf, at: number): readonly Lot[] => {
    const rest = available.get(account ?? "")?.available ?? 0n;
    // It came back after all there was had ended: it has ended as well.
    if (rest > 0n && open.get(id) === null) insert.run(id, balance_until_ms, 0, 0, at);
    const lots = readLots(open.all(id));
    for (const { id: lot_id, credit, left } of lots) spend.run(credit - left, lot_id);
    return lots;
  };

  return {
    /** Counts what was spent of each, so that one more may come. */
    count: (of: LotsOf, at: number): void => void count(of, at),
    /** Books what is left of those that have ended by a time, or of all, as income. @returns the amount. */
    end(of: LotsOf, at: number, until_ms: number | null): bigint {
      const ended = count(of, at).filter((lot) => until_ms === null || (lot.until_ms ?? until_ms + 1) <= until_ms);
      const amount = ended.reduce((sum, { left }) => sum + left, 0n);
      const from = { id: of.account ?? "", kind: "credit" as const };
      const booked =
        amount === 0n
          ? null
          : transfers.post({ kind: "expiry", reference: of.public_id, from, to: ACCOUNTS.expired, amount, at: tick() });
      for (const { id, left } of ended) end.run(at, left === 0n ? null : booked, id);
      noteEnds(of.id);
      return amount;
    },
    add(key_id: number, lot: { readonly credit: bigint; readonly until_ms: number | null; readonly at: number }): void {
      insert.run(key_id, lot.until_ms, lot.credit, 0, lot.at);
      noteEnds(key_id);
    },
    /** Those that are open last until then at least; what has no end keeps none. */
    prolong(key_id: number, until_ms: number): void {
      prolong.run(until_ms, key_id);
      noteEnds(key_id);
    },
  };
}
