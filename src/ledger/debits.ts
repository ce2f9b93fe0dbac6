import type { Database } from "bun:sqlite";
import { assertInvariant } from "../core/errors.ts";
import type { CallName, Charge, ChargeResult } from "./charge.ts";
import { ACCOUNTS, type Transfers } from "./transfers.ts";
import type { Joint } from "./writer.ts";

/** A debit as it is asked for. */
export interface Debit {
  readonly charge: Charge;
  readonly answer: { readonly body: string; readonly name: CallName | null };
}

export interface DebitsOptions {
  readonly db: Database;
  readonly transfers: Transfers;
  readonly tick: () => number;
  /** Keeps the bytes of an answer. @returns the id of their row. */
  readonly keepBody: (body: string, at: number) => number;
  /** Whether a key has a call of this name. */
  readonly isNamed: (key_id: number, name: string) => boolean;
  readonly keepName: (key_id: number, name: CallName, call_id: number) => void;
}

export const DAY_MS = 86_400_000;

/** What a key has used, with the debits decided so far. */
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
  readonly account: string;
  readonly at: number;
  readonly previous: number;
}

/**
 * The debits of one commit, booked together: each has its own transfer and its own call, but a balance and the usage of
 * a key are read once and written once, however many of the debits are theirs. They are decided in the order they came.
 */
export function createDebits(options: DebitsOptions): Joint<Debit, ChargeResult> {
  const { db, transfers, tick, keepBody, isNamed, keepName } = options;
  const sql = prepare(db);

  const readBalance = (account: string): Balance => ({ available: sql.available.get(account)?.available ?? 0n });
  const readUsage = (key_id: number): Usage => {
    const row = sql.usage.get(key_id);
    assertInvariant(row !== null, `key ${key_id} has a count of its usage`);
    const { day, spent_today, last_call } = row;
    return { key_id, day: Number(day), spent_today, last_call: Number(last_call), calls: 0, spent: 0n };
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
    transfers.postAll(
      booked.map(({ debit: { charge }, account, at }) => {
        const from = { id: account, kind: "credit" as const };
        return { kind: "debit", reference: charge.product, from, to: ACCOUNTS.calls, amount: charge.amount, at };
      }),
    );
    for (const { debit, at, previous } of booked) {
      const { charge, answer } = debit;
      const { key, product, amount } = charge;
      const answer_id = lookUp(bodies, answer.body, (body) => keepBody(body, at));
      sql.insert_call.run(at, key.id, previous, product, amount, answer_id);
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
        const { key, root, amount, now_ms } = debit.charge;
        const { name } = debit.answer;
        const account = root.account ?? "";
        const balance = lookUp(balances, account, readBalance);
        const { available } = balance;
        if (name) {
          // The same name may be among them.
          writeBooked();
          if (isNamed(key.id, name.name)) return { ok: false, why: "named_before", available };
        }
        if (available < amount) return { ok: false, why: "insufficient_credits", available };
        const usage = lookUp(usages, key.id, readUsage);
        const day = Math.floor(now_ms / DAY_MS);
        // A day that is not the stored one, earlier ones included, starts at zero.
        const spent_today = (day === usage.day ? usage.spent_today : 0n) + amount;
        if (key.daily_cap !== null && spent_today > key.daily_cap) return { ok: false, why: "daily_cap", available };
        const at = tick();
        booked.push({ debit, account, at, previous: usage.last_call });
        balance.available -= amount;
        usage.day = day;
        usage.spent_today = spent_today;
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
    available: db.query<{ available: bigint }, [string]>(
      "SELECT posted - pending AS available FROM accounts WHERE id = ?",
    ),
    usage: db.query<{ day: bigint; spent_today: bigint; last_call: bigint }, [number]>(
      "SELECT day, spent_today, last_call FROM key_usage WHERE key_id = ?",
    ),
    count: db.query<null, [number, bigint, number, bigint, number, number]>(
      `UPDATE key_usage SET day = ?, spent_today = ?, calls = calls + ?, spent = spent + ?, last_call = ?
       WHERE key_id = ?`,
    ),
    insert_call: db.query<null, [number, number, number, string, bigint, number]>(
      `INSERT INTO calls (id, key_id, previous, product, access, amount, answer_id)
       VALUES (?, ?, ?, ?, 'debit', ?, ?)`,
    ),
  };
}
