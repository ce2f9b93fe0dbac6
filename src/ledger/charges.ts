import type { Database } from "bun:sqlite";
import { assertInvariant } from "../core/errors.ts";
import { createAnswerBytes } from "./answer-bytes.ts";
import type { CallName, Charge, Charged, ChargeResult, HoldResult } from "./charge.ts";
import { createDebits, DAY_MS } from "./debits.ts";
import { createPassCalls, type PassCall, type PassRows } from "./pass-calls.ts";
import type { Promised } from "./promised.ts";
import { ACCOUNTS, type Transfers } from "./transfers.ts";
import type { Writer } from "./writer.ts";

export type { CallName, Charge, Charged, ChargeResult, HoldResult } from "./charge.ts";

export interface NamedCall {
  readonly fingerprint: string;
  readonly call_id: number;
  readonly product: string;
  readonly amount: bigint;
  /** Null when it was dropped after the replay window. */
  readonly body: string | null;
}

export interface ChargeQueries {
  findNamed(key_id: number, name: string): NamedCall | null;
}

/** Debits and holds on prepaid balances. Each promise resolves only when the change is on disk. */
export interface ChargeCommands {
  /** One commit: the balance goes down, the call and its answer are kept. For an answer that exists already. */
  debit(charge: Charge, answer: { body: string; name: CallName | null }): Promise<ChargeResult>;
  /** Sets the price aside while an answer is produced. */
  hold(charge: Charge, name: CallName | null): Promise<HoldResult>;
  /** Turns a hold into a debit of the charge's amount: what was held, or less, and the rest is given back. */
  post(hold: number, charge: Charge, answer: { body: string; name: CallName | null }): Promise<Charged>;
  /** Gives a hold back. What cannot be written now is given back at the next start. */
  void(hold: number): Promise<void>;
  /**
   * Notes a call of a pass, without waiting for the disk: no money depends on it. Calls of one product in one minute
   * are one row, however many there are. Nobody need wait.
   */
  pass(call: PassCall): Promise<void>;
  /** Gives back what a call cost, once. @returns the amount, 0 when it was given back before or cost nothing. */
  refund(call_id: number): Promise<bigint>;
  /** After a start: what was held belongs to calls that never ended. Returns how many. */
  recover(): Promise<number>;
  /** Drops answers and names older than this. */
  pruneAnswers(before_ms: number): Promise<number>;
}

export type Charges = ChargeCommands & Promised<ChargeQueries>;

export interface ChargesOptions {
  readonly db: Database;
  readonly writer: Writer;
  readonly transfers: Transfers;
  readonly tick: () => number;
}

export function createChargeQueries(db: Database): ChargeQueries {
  const named = prepareNamed(db);
  return {
    findNamed(key_id, name) {
      const found = named.get(key_id, name);
      return found ? { ...found, call_id: Number(found.call_id) } : null;
    },
  };
}

export function createChargeCommands({ db, writer, transfers, tick }: ChargesOptions): ChargeCommands {
  const sql = prepareCharges(db);
  const keepBody = createAnswerBytes(db);

  const availableOf = (account: string | null): bigint =>
    account === null ? 0n : (sql.available.get(account)?.available ?? 0n);

  /** Counts a call's price against the key's day. Returns false when its own daily cap would be passed. */
  const countSpend = ({ key, amount, now_ms }: Charge): boolean => {
    const day = Math.floor(now_ms / DAY_MS);
    const values = { $key: key.id, $day: day, $amount: amount, $cap: key.daily_cap };
    return sql.count_spend.run(values).changes === 1;
  };

  /** Checks that a call can be paid, and counts it against the key's day. Nothing is changed when it cannot. */
  const reserve = (charge: Charge, name: CallName | null): Extract<ChargeResult, { ok: false }> | null => {
    const available = availableOf(charge.root.account);
    if (name && isNamed(charge.key.id, name.name)) return { ok: false, why: "named_before", available };
    if (available < charge.amount) return { ok: false, why: "insufficient_credits", available };
    return countSpend(charge) ? null : { ok: false, why: "daily_cap", available };
  };

  interface Record {
    readonly charge: PassCall;
    readonly access: "debit" | "pass";
    readonly amount: bigint;
    readonly answer_id: number | null;
    readonly at: number;
    readonly times: number;
  }
  const recordCall = ({ charge, access, amount, answer_id, at, times }: Record): void => {
    const { key, product } = charge;
    sql.insert_call.run({
      $id: at,
      $key: key.id,
      $product: product,
      $access: access,
      $amount: amount,
      $answer: answer_id,
      $times: times,
    });
    sql.count_call.run({ $key: key.id, $amount: amount, $id: at, $times: times });
  };
  const passes: PassRows = {
    insert(charge, times) {
      const at = tick();
      recordCall({ charge, access: "pass", amount: 0n, answer_id: null, at, times });
      return at;
    },
    add({ key }, id, times) {
      sql.add_times.run({ $id: id, $times: times });
      sql.count_more.run({ $key: key.id, $times: times });
    },
  };

  const notePass = createPassCalls(writer, passes);
  const keepName = (key_id: number, { name, fingerprint }: CallName, call_id: number): void => {
    sql.insert_name.run({ $key: key_id, $name: name, $fingerprint: fingerprint, $call: call_id });
  };
  const isNamed = (key_id: number, name: string): boolean => sql.named.get(key_id, name) !== null;
  const debits = createDebits({ db, transfers, tick, keepBody, isNamed, keepName });

  const charged = (
    charge: Charge,
    { body, name }: { body: string; name: CallName | null },
    account: string,
  ): Charged => {
    const at = tick();
    const { product, amount, key } = charge;
    const from = { id: account, kind: "credit" as const };
    transfers.post({ kind: "debit", reference: product, from, to: ACCOUNTS.calls, amount, at });
    recordCall({ charge, access: "debit", amount, answer_id: keepBody(body, at), at, times: 1 });
    if (name) keepName(key.id, name, at);
    return { ok: true, call_id: at, available: availableOf(account) };
  };

  return {
    debit: (charge, answer) => writer.writeJoint(debits, { charge, answer }),
    hold: (charge, name) =>
      writer.write((): HoldResult => {
        const denied = reserve(charge, name);
        if (denied) return denied;
        const account = charge.root.account ?? "";
        const id = tick();
        const { key, product, amount, now_ms } = charge;
        const day = Math.floor(now_ms / DAY_MS);
        sql.set_aside.run({ $account: account, $amount: amount });
        sql.insert_hold.run({
          $id: id,
          $key: key.id,
          $account: account,
          $product: product,
          $amount: amount,
          $day: day,
        });
        return { ok: true, id };
      }),
    post: (hold, charge, answer) =>
      writer.write(() => {
        const held = sql.end_hold.get({ $id: hold, $state: "posted" });
        assertInvariant(held !== null, `I4: hold ${hold} was ended before`);
        assertInvariant(charge.amount <= held.amount, `I4: hold ${hold} is charged no more than was held`);
        sql.set_aside.run({ $account: held.account, $amount: -held.amount });
        if (charge.amount < held.amount) chargeLess(hold, held, charge.amount);
        return charged(charge, answer, held.account);
      }),
    void: (hold) => writer.write(() => giveBack(hold, "voided")).catch(() => undefined),
    pass: async (call) => notePass(call),
    refund: (call_id) =>
      writer.write(() => {
        const call = sql.debit_of.get(call_id);
        if (!call || sql.refunded.get(`call:${call_id}`)) return 0n;
        const to = { id: call.account, kind: "credit" as const };
        const reference = `call:${call_id}`;
        transfers.post({ kind: "refund", reference, from: ACCOUNTS.calls, to, amount: call.amount, at: tick() });
        return call.amount;
      }),
    recover: () =>
      writer.write(() => {
        const open = sql.open_holds.all();
        for (const { id } of open) giveBack(Number(id), "expired");
        return open.length;
      }),
    pruneAnswers: (before_ms) =>
      writer.write(() => {
        db.run("DELETE FROM call_names WHERE at < ?", [before_ms * 1000]);
        return db.run("DELETE FROM answers WHERE id < ?", [before_ms * 1000]).changes;
      }),
  };

  function chargeLess(hold: number, { key_id, day, amount }: Held, charged: bigint): void {
    sql.charge_less.run({ $id: hold, $charged: charged });
    sql.uncount_spend.run({ $key: key_id, $day: day, $amount: amount - charged });
  }

  function giveBack(hold: number, state: "voided" | "expired"): void {
    const held = sql.end_hold.get({ $id: hold, $state: state });
    if (!held) return;
    sql.set_aside.run({ $account: held.account, $amount: -held.amount });
    sql.uncount_spend.run({ $key: held.key_id, $day: held.day, $amount: held.amount });
  }
}

interface Held {
  readonly key_id: bigint;
  readonly account: string;
  readonly amount: bigint;
  readonly day: bigint;
}

const prepareNamed = (db: Database) =>
  db.query<Omit<NamedCall, "call_id"> & { call_id: bigint }, [number, string]>(
    `SELECT n.fingerprint, n.call_id, c.product, c.amount, a.body FROM call_names n JOIN calls c ON c.id = n.call_id
     LEFT JOIN answers a ON a.id = c.answer_id WHERE n.key_id = ? AND n.name = ?`,
  );

function prepareCharges(db: Database) {
  return {
    available: db.query<{ available: bigint }, [string]>(
      "SELECT posted - pending AS available FROM accounts WHERE id = ?",
    ),
    // A day that is not the stored one, earlier ones included, starts at zero.
    count_spend: db.query(
      `UPDATE key_usage SET spent_today = iif(day = $day, spent_today, 0) + $amount, day = $day
       WHERE key_id = $key AND ($cap IS NULL OR iif(day = $day, spent_today, 0) + $amount <= $cap)`,
    ),
    uncount_spend: db.query(
      "UPDATE key_usage SET spent_today = max(0, spent_today - $amount) WHERE key_id = $key AND day = $day",
    ),
    insert_call: db.query(
      `INSERT INTO calls (id, key_id, previous, product, access, amount, answer_id, times)
       SELECT $id, $key, last_call, $product, $access, $amount, $answer, $times FROM key_usage WHERE key_id = $key`,
    ),
    count_call: db.query(
      "UPDATE key_usage SET calls = calls + $times, spent = spent + $amount, last_call = $id WHERE key_id = $key",
    ),
    add_times: db.query("UPDATE calls SET times = times + $times WHERE id = $id"),
    count_more: db.query("UPDATE key_usage SET calls = calls + $times WHERE key_id = $key"),
    insert_name: db.query(
      `INSERT INTO call_names (key_id, name, fingerprint, call_id, at)
       VALUES ($key, $name, $fingerprint, $call, $call)`,
    ),
    named: prepareNamed(db),
    set_aside: db.query("UPDATE accounts SET pending = pending + $amount WHERE id = $account"),
    insert_hold: db.query(
      `INSERT INTO holds (id, key_id, account, product, amount, day)
       VALUES ($id, $key, $account, $product, $amount, $day)`,
    ),
    charge_less: db.query("UPDATE holds SET charged = $charged WHERE id = $id"),
    end_hold: db.query<Held, { $id: number; $state: string }>(
      "UPDATE holds SET state = $state WHERE id = $id AND state = 'pending' RETURNING key_id, account, amount, day",
    ),
    open_holds: db.query<{ id: bigint }, []>("SELECT id FROM holds WHERE state = 'pending'"),
    debit_of: db.query<{ account: string; amount: bigint }, [number]>(
      "SELECT source AS account, amount FROM transfers WHERE id = ? AND kind = 'debit'",
    ),
    refunded: db.query<{ id: bigint }, [string]>("SELECT id FROM transfers WHERE kind = 'refund' AND reference = ?"),
  };
}
