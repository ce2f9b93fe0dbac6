import type { Database } from "bun:sqlite";
import type { CallName, Charge, ChargeResult } from "../charge.ts";
import type { DecidedTransfer } from "../decide/results.ts";
import { decideDebit } from "../decide/spending.ts";
import type { NewTransfer, Transfers } from "../transfers.ts";
import type { Joint } from "../writer.ts";
import type { SpendingRows } from "./spending-rows.ts";

/** A debit as it is asked for. */
export interface Debit {
  readonly charge: Charge;
  readonly answer: { readonly body: string; readonly name: CallName | null };
}

export interface DebitsOptions {
  readonly db: Database;
  readonly rows: SpendingRows;
  readonly transfers: Transfers;
  readonly tick: () => number;
  /** Keeps the bytes of an answer. @returns the id of their row. */
  readonly keepBody: (body: string, at: number) => number;
  /** Whether a key has a call of this name. */
  readonly isNamed: (key_id: number, name: string) => boolean;
  readonly keepName: (key_id: number, name: CallName, call_id: number) => void;
}

/** What a key has used, including the debits decided so far. */
interface Usage {
  readonly key_id: number;
  day: number;
  spent_today: bigint;
  last_call: number;
  /** Not written yet. */
  calls: number;
  spent: bigint;
}

interface Balance {
  available: bigint;
}

interface Booked {
  readonly debit: Debit;
  readonly decided: readonly DecidedTransfer[];
  readonly at: number;
  readonly previous: number;
}

/**
 * The debits of one commit, booked together: each has its own transfer and its own call, but a balance and the usage of
 * a key are read once and written once, however many of the debits are theirs. They are decided in the order they came.
 */
export function createDebits(options: DebitsOptions): Joint<Debit, ChargeResult> {
  const { db, rows, transfers, tick, keepBody, isNamed, keepName } = options;
  const sql = prepare(db);

  const readBalance = (account: string): Balance => ({ available: rows.available(account) });
  const readUsage = (key_id: number): Usage => {
    const { day, spent_today, last_call } = rows.day(key_id);
    return { key_id, day, spent_today, last_call, calls: 0, spent: 0n };
  };

  const writeUsage = (usage: Usage): void => {
    const { key_id, day, spent_today, last_call, calls, spent } = usage;
    if (calls === 0) return;
    sql.count.run(day, spent_today, calls, spent, last_call, key_id);
    usage.calls = 0;
    usage.spent = 0n;
  };

  const write = (booked: readonly Booked[], usages: Iterable<Usage>): void => {
    // Of this commit: most of its calls have one answer.
    const bodies = new Map<string, number>();
    const dated: NewTransfer[] = [];
    for (const { decided, at } of booked) {
      // Field by field, which is faster than a spread: this is done for every debit.
      for (const { kind, reference, from, to, amount } of decided)
        dated.push({ kind, reference, from, to, amount, at });
    }
    transfers.postAll(dated);
    for (const { debit, at, previous } of booked) {
      const { charge, answer } = debit;
      const { key, product, amount, door = null } = charge;
      const answer_id = lookUp(bodies, answer.body, (body) => keepBody(body, at));
      sql.insert_call.run(at, key.id, previous, product, amount, answer_id, door);
      if (answer.name) keepName(key.id, answer.name, at);
    }
    for (const usage of usages) writeUsage(usage);
  };

  return {
    run(debits) {
      const balances = new Map<string, Balance>();
      const usages = new Map<number, Usage>();
      let booked: Booked[] = [];
      const writeBooked = () => {
        if (booked.length > 0) write(booked, usages.values());
        booked = [];
      };

      const decide = (debit: Debit): ChargeResult => {
        const { charge } = debit;
        const { key, root, amount } = charge;
        const { name } = debit.answer;
        const balance = lookUp(balances, root.account ?? "", readBalance);
        const usage = lookUp(usages, key.id, readUsage);
        // The same name may be among them.
        if (name) writeBooked();
        const is_named = name !== null && isNamed(key.id, name.name);
        const { day, spent_today } = usage;
        const decided = decideDebit(charge, { available: balance.available, is_named, day, spent_today });
        if (decided.result !== "charged") {
          return { ok: false, why: decided.result, available: balance.available };
        }
        const at = tick();
        booked.push({ debit, decided: decided.transfers, at, previous: usage.last_call });
        balance.available = decided.after.available;
        usage.day = decided.after.day;
        usage.spent_today = decided.after.spent_today;
        usage.last_call = at;
        usage.calls += 1;
        usage.spent += amount;
        return { ok: true, call_id: at, available: balance.available };
      };

      const results = debits.map(decide);
      writeBooked();
      return results;
    },
  };
}

function lookUp<K, V>(known: Map<K, V>, key: K, read: (key: K) => V): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = read(key);
  known.set(key, value);
  return value;
}

function prepare(db: Database) {
  return {
    count: db.query<null, [number, bigint, number, bigint, number, number]>(
      `UPDATE key_usage SET day = ?, spent_today = ?, calls = calls + ?, spent = spent + ?, last_call = ?
       WHERE key_id = ?`,
    ),
    insert_call: db.query<null, [number, number, number, string, bigint, number, string | null]>(
      `INSERT INTO calls (id, key_id, previous, product, access, amount, answer_id, door)
       VALUES (?, ?, ?, ?, 'debit', ?, ?, ?)`,
    ),
  };
}
