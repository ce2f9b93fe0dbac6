import type { Database } from "bun:sqlite";
import type { CountedLot, LotsState } from "../decide/lots.ts";
import { LOT_ORDER, OPEN_LOTS, readLots, type StoredLot } from "../lots.ts";

/**
 * The lots of a balance. Calls do not change them: they are counted when one of them ends or another one comes, and
 * only then does it matter which one was spent. Everything here must run inside a db transaction.
 */
export function createLots(db: Database) {
  const open = db.query<StoredLot, [number]>(`${OPEN_LOTS}? ORDER BY ${LOT_ORDER}`);
  const available = db.query<{ available: bigint }, [string]>(
    "SELECT posted - pending AS available FROM accounts WHERE id = ?",
  );
  const insert = db.query<{ id: bigint }, [number, number | null, bigint, bigint, number]>(
    "INSERT INTO lots (key_id, until, credit, spent, at) VALUES (?, ?, ?, ?, ?) RETURNING id",
  );
  const count = db.query<null, [bigint, number | null, number]>("UPDATE lots SET spent = ?, until = ? WHERE id = ?");
  const end = db.query<null, [number, number | null, number]>(
    "UPDATE lots SET expired = credit - spent, ended_at = ?, transfer_id = ? WHERE id = ?",
  );
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

  return {
    read: ({ id, account }: { readonly id: number; readonly account: string | null }): LotsState => ({
      lots: readLots(open.all(id)),
      available: available.get(account ?? "")?.available ?? 0n,
    }),
    /** @param written when, and the transfer that booked what was left of those that have ended. */
    write(
      key_id: number,
      lots: readonly CountedLot[],
      { at, expiry }: { readonly at: number; readonly expiry: number | null },
    ): void {
      for (const { id: known, credit, left, until_ms, has_ended } of lots) {
        const id = known ?? Number(insert.get(key_id, until_ms, credit, credit - left, at)?.id);
        if (known !== null) count.run(credit - left, until_ms, known);
        if (has_ended) end.run(at, left === 0n ? null : expiry, id);
      }
      note_ends.run({ $id: key_id });
      note_none.run({ $id: key_id });
    },
    add(key_id: number, lot: { readonly credit: bigint; readonly until_ms: number | null; readonly at: number }): void {
      insert.get(key_id, lot.until_ms, lot.credit, 0n, lot.at);
      note_ends.run({ $id: key_id });
    },
  };
}
