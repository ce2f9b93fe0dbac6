import type { Database } from "bun:sqlite";
import type { Clock } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { type BegunPayment, createBegunPayments } from "../begun-payments.ts";
import { assertMoves, decideBegin, decideMove, decideWake, type EndState } from "../decide/payments.ts";
import type { KeyPurchases } from "../keys.ts";
import type { NewPayment, PaymentRow, PaymentState } from "../payment-row.ts";
import { fromRow, type StoredPayment, valuesOf } from "../payment-statements.ts";
import type { BeginOptions, OwnPaymentCommands, PaymentQueries, PaymentStart } from "../payments.ts";
import type { Transfers } from "../transfers.ts";
import type { Writer } from "../writer.ts";
import { createPaymentMoves } from "./payment-moves.ts";
import { preparePaymentReads, preparePayments } from "./payment-statements.ts";
import { createUpkeepCommands, createUpkeepQueries } from "./payment-upkeep.ts";

const DAY_US = 86_400_000_000;

const REASON_CHARS_MAX = 300;

const TRANSACTION_CHARS_MAX = 100;

export interface PaymentsOptions {
  readonly db: Database;
  readonly writer: Writer;
  /** Strictly increasing ledger time, microseconds. */
  readonly tick: () => number;
  readonly clock: Clock;
  readonly transfers: Transfers;
  readonly keys: KeyPurchases;
}

export function createPaymentQueries(db: Database, clock: Clock): PaymentQueries {
  const sql = preparePaymentReads(db);
  return {
    findByReplayKey: (replay_key) => read(sql.by_key.get(replay_key)),
    get: (id) => read(sql.by_id.get(id)),
    findByIdentifier: (identifier) => read(sql.by_identifier.get(identifier)),
    countOpen: (payer) => Number(sql.open.get(payer, clock.now())?.n ?? 0n),
    findEarlier(payer, fingerprint, not_id) {
      const now_us = clock.now() * 1000;
      const values = { $payer: payer, $fingerprint: fingerprint, $id: not_id, $now: now_us, $day: DAY_US };
      return read(sql.earlier.get(values));
    },
    ...createUpkeepQueries(db),
  };
}

const read = (row: StoredPayment | null): PaymentRow | null => (row ? fromRow(row) : null);

export function createPaymentCommands(options: PaymentsOptions): OwnPaymentCommands {
  const { db, writer, tick, clock, transfers, keys } = options;
  const sql = preparePayments(db);
  const upkeep = createUpkeepCommands({ db, writer, tick });

  interface Move {
    readonly id: string;
    readonly to: EndState;
    readonly reason?: string | undefined;
    readonly facilitator?: string | undefined;
    readonly hint?: string | undefined;
  }
  const stateOf = (id: string): PaymentState | null => sql.state.get(id)?.state ?? null;
  const writeMove = ({ id, to, reason, facilitator, hint }: Move): void =>
    void sql.move.run({
      $id: id,
      $to: to,
      $reason: reason?.slice(0, REASON_CHARS_MAX) ?? null,
      $facilitator: facilitator ?? null,
      $hint: hint?.slice(0, TRANSACTION_CHARS_MAX) ?? null,
      $at: wall(),
    });
  const moveIf = (wanted: Move): void => {
    if (decideMove(wanted.to, stateOf(wanted.id)).result === "moved") writeMove(wanted);
  };
  const moveNow = (wanted: Move): void => {
    assertMoves(wanted.id, wanted.to, stateOf(wanted.id));
    writeMove(wanted);
  };

  // Ages of payments are compared with the clock, so they use the clock: the ledger's own time never goes back, and
  // after a clock that was days ahead it would call every new payment older or younger than it is.
  const wall = () => clock.now() * 1000;

  /** Replay keys whose newest state is still queued: a read of one of them has it written first. */
  const queued = new Set<string>();
  const findRow = (replay_key: string): StoredPayment | null => {
    if (queued.has(replay_key)) writer.flushNow();
    return sql.by_key.get(replay_key);
  };
  /** Work that no caller waits for, about one replay key; a failure shows at the next use of the key. */
  const later = (replay_key: string, work: () => void): Promise<void> => {
    queued.add(replay_key);
    return new Promise((resolve) => {
      const leave = () => {
        queued.delete(replay_key);
        resolve();
      };
      const run = () => {
        queued.delete(replay_key);
        work();
      };
      writer.writeLater(run, leave, resolve);
    });
  };
  const insert = (begun: BegunPayment, state: PaymentState, reason: string | null = null): void =>
    void sql.insert.run(...valuesOf(begun, { state, reason, at: state === "received" ? begun.at : wall() }));
  const begun = createBegunPayments((late) => {
    for (const one of late) void later(one.payment.replay_key, () => insert(one, "received"));
  });
  /** Gives a payment without a row its first row, in the commit of its next change. */
  const bring = (id: string): (() => void) => {
    const own = begun.take(id);
    return () => own && insert(own, "received");
  };
  const writeBegun = (): void => {
    for (const one of begun.takeAll()) void later(one.payment.replay_key, () => insert(one, "received"));
  };

  const begin = async (payment: NewPayment, { may_repeat = false }: BeginOptions = {}): Promise<PaymentStart> => {
    const waiting = begun.find(payment.replay_key);
    const stored = waiting === null ? findRow(payment.replay_key) : null;
    const known = waiting ?? read(stored);
    if (known !== null && decideBegin(known.state).result === "known") return { started: false, payment: known };
    writer.assertTaking();
    const at = wall();
    // A row that cannot be written shows at keepAnswer, which then charges nothing.
    if (known === null) {
      const id = newId("pay", at / 1000);
      const { payer, fingerprint } = payment;
      const has_earlier = (may_repeat ? sql.has_open.get(payer) : sql.has_any.get(payer, fingerprint)) !== null;
      begun.add({ id, payment, at });
      return { started: true, id, has_earlier };
    }
    const { replay_key, payload_hash, fingerprint, product, amount, payer, valid_until_ms, payload } = payment;
    const values = { $replay_key: replay_key, $payload_hash: payload_hash, $fingerprint: fingerprint, $at: at };
    const whole = { ...values, $product: product, $amount: amount, $payer: payer, $payload: payload };
    void later(replay_key, () => void sql.restart.run({ ...whole, $valid_until: valid_until_ms }));
    return { started: true, id: known.id };
  };

  const moves = createPaymentMoves({
    db,
    sql,
    tick,
    wall,
    transfers,
    keys,
    markTaken: (id, reason) => moveNow({ id, to: "unknown", reason }),
  });

  return {
    begin,
    find: async (replay_key) => begun.find(replay_key) ?? read(findRow(replay_key)),
    drop(id, replay_key, { state, reason }) {
      const own = begun.take(id);
      return later(replay_key, () => {
        if (own) insert(own, state, reason.slice(0, REASON_CHARS_MAX));
        else moveIf({ id, to: state, reason });
      });
    },
    end(id, to, reason) {
      const write = bring(id);
      return writer.write(() => {
        write();
        moveNow({ id, to, reason });
      });
    },
    wake(id) {
      const write = bring(id);
      return writer.write(() => {
        write();
        const row = sql.by_id.get(id);
        if (row === null) return null;
        const left = decideWake(row.state);
        if (left === null) return fromRow(row);
        writeMove({ id, ...left });
        return read(sql.by_id.get(id));
      });
    },
    keepAnswer: async (id, answer, kept = {}) => {
      const own = begun.take(id);
      const key = own?.payment.replay_key;
      if (key !== undefined) queued.add(key);
      try {
        await writer.writeJoint(moves, { to: "settling", id, begun: own, answer, kept });
      } finally {
        if (key !== undefined) queued.delete(key);
      }
    },
    markUnknown: (id, reason, { transaction, facilitator } = {}) =>
      writer.write(() => moveNow({ id, to: "unknown", reason, facilitator, hint: transaction })),
    settle(id, settled) {
      const own = begun.take(id);
      if (own) void later(own.payment.replay_key, () => insert(own, "received"));
      return writer.writeJoint(moves, { to: "settled", id, settled });
    },
    markDelivered: (id) => writer.write(() => void sql.delivered.run({ $id: id, $delivered: 1 })),
    markUndelivered: (id) => writer.write(() => void sql.delivered.run({ $id: id, $delivered: 0 })),
    ...upkeep,
    recover() {
      writeBegun();
      return upkeep.recover();
    },
    writeBegun,
  };
}
