import { Database } from "bun:sqlite";
import { join } from "node:path";
import { createSettableClock } from "../src/core/clock.ts";
import { sha256Hex } from "../src/core/hash.ts";
import { openLedger } from "../src/ledger/ledger.ts";

/** The n-th key of a benchmark ledger. Known to everybody, worthless everywhere else. */
export const benchKey = (n: number): string => `ink_${n.toString().padStart(43, "0")}`;

const CREDIT = 1_000_000_000_000n;
const PRICE = 10_000n;

/**
 * Fills a new ledger with keys that each have a balance, and with debits spread over them, as the node would have
 * written them one by one. Its audit is clean.
 */
export async function writeLedger(folder: string, size: { keys: number; transfers: number }): Promise<void> {
  const file = join(folder, "ledger.db");
  const ledger = openLedger({ file, clock: createSettableClock() });
  await ledger.close();
  const db = new Database(file, { safeIntegers: true });
  db.run("PRAGMA synchronous = OFF");
  db.run("PRAGMA journal_mode = OFF");
  db.run("PRAGMA cache_size = -400000");
  const { keys } = size;
  const debits = Math.max(0, size.transfers - keys);
  const start_us = (Date.now() - 30 * 86_400_000) * 1000;
  const insert = db.query(
    `INSERT INTO keys (id, public_id, hash, plan, account, created_at)
     VALUES ($id, $public_id, $hash, 'bench', $account, $at)`,
  );
  const usage = db.query(
    `INSERT INTO key_usage (key_id, calls, spent, day, spent_today, last_call)
     VALUES ($id, $calls, $spent, 0, 0, $last)`,
  );
  const account = db.query("INSERT INTO accounts (id, kind, posted, created_at) VALUES ($id, $kind, $posted, $at)");
  const grant = db.query("INSERT INTO grants (key_id, plan, paid, credit, at) VALUES ($id, 'bench', 0, $credit, $at)");
  db.transaction(() => {
    account.run({ $id: "promotion:goodwill", $kind: "promotion", $posted: -CREDIT * BigInt(keys), $at: start_us });
    account.run({ $id: "revenue:calls", $kind: "revenue", $posted: PRICE * BigInt(debits), $at: start_us });
    for (let n = 0; n < keys; n++) {
      const id = n + 1;
      const public_id = `key_${n}`;
      const calls = Math.floor(debits / keys) + (n < debits % keys ? 1 : 0);
      const spent = PRICE * BigInt(calls);
      const last = calls === 0 ? 0 : start_us + keys + (calls - 1) * keys + n;
      const credit = `credit:${public_id}`;
      account.run({ $id: credit, $kind: "credit", $posted: CREDIT - spent, $at: start_us });
      const hash = Buffer.from(sha256Hex(benchKey(n)), "hex");
      insert.run({ $id: id, $public_id: public_id, $hash: hash, $account: credit, $at: start_us });
      usage.run({ $id: id, $calls: calls, $spent: spent, $last: last });
      grant.run({ $id: id, $credit: CREDIT, $at: start_us + n });
    }
    db.run(
      `INSERT INTO transfers (id, kind, reference, source, target, amount)
       SELECT k.at, 'bonus', 'grant:' || k.at, 'promotion:goodwill', 'credit:key_' || (k.key_id - 1), k.credit
       FROM grants k ORDER BY k.at`,
    );
    const numbers = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $debits)";
    const values = { $debits: debits, $start: start_us + keys, $keys: keys, $price: PRICE };
    if (debits === 0) return;
    db.query(
      `${numbers} INSERT INTO transfers (id, kind, reference, source, target, amount)
       SELECT $start + i, 'debit', 'bench', 'credit:key_' || (i % $keys), 'revenue:calls', $price FROM n`,
    ).run(values);
    db.query(
      `${numbers} INSERT INTO calls (id, key_id, previous, product, access, amount, answer_id)
       SELECT $start + i, i % $keys + 1, iif(i >= $keys, $start + i - $keys, 0), 'bench', 'debit', $price, NULL FROM n`,
    ).run(values);
  })();
  db.run("PRAGMA journal_mode = WAL");
  db.close();
}
