import type { Database } from "bun:sqlite";
import { assertInvariant } from "../../core/errors.ts";
import type { DaySpend } from "../decide/spending.ts";

/** What a key spent on its last day, and its last call. */
interface StoredDay extends DaySpend {
  readonly last_call: number;
}

/** The state that charges depend on, as SQLite has it. To be used inside a db transaction. */
export interface SpendingRows {
  /** Posted minus pending; 0 for a balance that was never opened. */
  available(account: string | null): bigint;
  /** @throws InvariantError when the key has no count. */
  day(key_id: number): StoredDay;
  writeDay(key_id: number, day: DaySpend): void;
}

export function createSpendingRows(db: Database): SpendingRows {
  const available = db.query<{ available: bigint }, [string]>(
    "SELECT posted - pending AS available FROM accounts WHERE id = ?",
  );
  const usage = db.query<{ day: bigint; spent_today: bigint; last_call: bigint }, [number]>(
    "SELECT day, spent_today, last_call FROM key_usage WHERE key_id = ?",
  );
  const write_day = db.query<null, [number, bigint, number]>(
    "UPDATE key_usage SET day = ?, spent_today = ? WHERE key_id = ?",
  );
  return {
    available: (account) => (account === null ? 0n : (available.get(account)?.available ?? 0n)),
    day(key_id) {
      const row = usage.get(key_id);
      assertInvariant(row !== null, `key ${key_id} has a count of its usage`);
      return { day: Number(row.day), spent_today: row.spent_today, last_call: Number(row.last_call) };
    },
    writeDay: (key_id, { day, spent_today }) => void write_day.run(day, spent_today, key_id),
  };
}
