import type { Database } from "bun:sqlite";
import type { CallName, Charge, Charged, HoldResult } from "../charge.ts";
import type { ChargeCommands, ChargeQueries, NamedCall } from "../charges.ts";
import type { DecidedTransfer } from "../decide/results.ts";
import { dayOf, decideGiveBack, decideHold, decidePost, decideRefund, type Hold } from "../decide/spending.ts";
import { createPassCalls, type PassCall, type PassRows } from "../pass-calls.ts";
import type { Transfers } from "../transfers.ts";
import type { Writer } from "../writer.ts";
import { createAnswerBytes } from "./answer-bytes.ts";
import { createDebits } from "./debits.ts";
import { createSpendingRows } from "./spending-rows.ts";

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
  const rows = createSpendingRows(db);
  const keepBody = createAnswerBytes(db);

  const write = (decided: readonly DecidedTransfer[], at: number): void => {
    for (const transfer of decided) transfers.post({ ...transfer, at });
  };

  interface Record {
    readonly charge: PassCall & Pick<Charge, "door">;
    readonly access: "debit" | "pass";
    readonly amount: bigint;
    readonly answer_id: number | null;
    readonly at: number;
    readonly times: number;
  }
  const recordCall = ({ charge, access, amount, answer_id, at, times }: Record): void => {
    const { key, product, door = null } = charge;
    sql.insert_call.run({
      $id: at,
      $key: key.id,
      $product: product,
      $access: access,
      $amount: amount,
      $answer: answer_id,
      $times: times,
      $door: door,
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
  const debits = createDebits({ db, rows, transfers, tick, keepBody, isNamed, keepName });

  const hold = (charge: Charge, name: CallName | null): HoldResult => {
    const { key, root, product, amount, now_ms } = charge;
    const { day, spent_today } = rows.day(key.id);
    const is_named = name !== null && isNamed(key.id, name.name);
    const decided = decideHold(charge, { available: rows.available(root.account), is_named, day, spent_today });
    if (decided.result !== "held") return { ok: false, why: decided.result, available: decided.after.available };
    rows.writeDay(key.id, decided.after);
    const account = root.account ?? "";
    const id = tick();
    sql.set_aside.run({ $account: account, $amount: decided.set_aside });
    sql.insert_hold.run({
      $id: id,
      $key: key.id,
      $account: account,
      $product: product,
      $amount: amount,
      $day: dayOf(now_ms),
    });
    return { ok: true, id };
  };

  const post = (id: number, charge: Charge, { body, name }: { body: string; name: CallName | null }): Charged => {
    const held = readHold(sql.hold.get(id));
    const { key, amount } = charge;
    const counted_for = held?.key_id ?? key.id;
    const { day, spent_today } = rows.day(counted_for);
    const available = rows.available(held?.account ?? null);
    const decided = decidePost({ id, charge }, { hold: held, available, day, spent_today });
    endHold(id, "posted", { account: held?.account ?? "", freed: decided.freed });
    if (decided.charged_less !== null) sql.charge_less.run({ $id: id, $charged: decided.charged_less });
    rows.writeDay(counted_for, decided.after);
    const at = tick();
    write(decided.transfers, at);
    recordCall({ charge, access: "debit", amount, answer_id: keepBody(body, at), at, times: 1 });
    if (name) keepName(key.id, name, at);
    return { ok: true, call_id: at, available: decided.after.available };
  };

  const endHold = (
    id: number,
    state: "posted" | "voided" | "expired",
    { account, freed }: { readonly account: string; readonly freed: bigint },
  ): void => {
    sql.end_hold.run({ $id: id, $state: state });
    sql.set_aside.run({ $account: account, $amount: -freed });
  };

  const giveBack = (id: number, state: "voided" | "expired"): void => {
    const held = readHold(sql.hold.get(id));
    if (held === null) return;
    const { day, spent_today } = rows.day(held.key_id);
    const { result, freed, after } = decideGiveBack({ hold: held, day, spent_today });
    if (result !== "given_back") return;
    endHold(id, state, { account: held.account, freed });
    rows.writeDay(held.key_id, after);
  };

  return {
    debit: (charge, answer) => writer.writeJoint(debits, { charge, answer }),
    hold: (charge, name) => writer.write(() => hold(charge, name)),
    post: (id, charge, answer) => writer.write(() => post(id, charge, answer)),
    void: (id) => writer.write(() => giveBack(id, "voided")).catch(() => undefined),
    pass: async (call) => notePass(call),
    refund: (call_id) =>
      writer.write(() => {
        const is_refunded = sql.refunded.get(`call:${call_id}`) !== null;
        const decided = decideRefund(call_id, { debit: sql.debit_of.get(call_id), is_refunded });
        if (decided.result === "refunded") write(decided.transfers, tick());
        return decided.transfers.reduce((sum, { amount }) => sum + amount, 0n);
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
}

interface StoredHold {
  readonly key_id: bigint;
  readonly account: string;
  readonly amount: bigint;
  readonly day: bigint;
  readonly is_open: bigint;
}

const readHold = (row: StoredHold | null): (Hold & { readonly key_id: number }) | null =>
  row && { ...row, key_id: Number(row.key_id), day: Number(row.day), is_open: row.is_open === 1n };

const prepareNamed = (db: Database) =>
  db.query<Omit<NamedCall, "call_id"> & { call_id: bigint }, [number, string]>(
    `SELECT n.fingerprint, n.call_id, c.product, c.amount, a.body FROM call_names n JOIN calls c ON c.id = n.call_id
     LEFT JOIN answers a ON a.id = c.answer_id WHERE n.key_id = ? AND n.name = ?`,
  );

function prepareCharges(db: Database) {
  return {
    insert_call: db.query(
      `INSERT INTO calls (id, key_id, previous, product, access, amount, answer_id, times, door)
       SELECT $id, $key, last_call, $product, $access, $amount, $answer, $times, $door FROM key_usage
       WHERE key_id = $key`,
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
    hold: db.query<StoredHold, [number]>(
      "SELECT key_id, account, amount, day, state = 'pending' AS is_open FROM holds WHERE id = ?",
    ),
    end_hold: db.query("UPDATE holds SET state = $state WHERE id = $id AND state = 'pending'"),
    open_holds: db.query<{ id: bigint }, []>("SELECT id FROM holds WHERE state = 'pending'"),
    debit_of: db.query<{ account: string; amount: bigint }, [number]>(
      "SELECT source AS account, amount FROM transfers WHERE id = ? AND kind = 'debit'",
    ),
    refunded: db.query<{ id: bigint }, [string]>("SELECT id FROM transfers WHERE kind = 'refund' AND reference = ?"),
  };
}
