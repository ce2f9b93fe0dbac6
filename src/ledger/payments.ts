import type { Database } from "bun:sqlite";
import type { Clock } from "../core/clock.ts";
import { newId } from "../core/ids.ts";
import { type BegunPayment, createBegunPayments } from "./begun-payments.ts";
import { assertMoves, decideBegin, decideMove, decideWake, type EndState } from "./decide/payments.ts";
import type { KeyPurchases } from "./keys.ts";
import { createPaymentMoves } from "./payment-moves.ts";
import type { BookedSale, Kept, NewPayment, PaymentRow, PaymentState, SettledPayment } from "./payment-row.ts";
import { fromRow, preparePaymentReads, preparePayments, type Row, valuesOf } from "./payment-statements.ts";
import {
  createUpkeepCommands,
  createUpkeepQueries,
  type UpkeepCommands,
  type UpkeepQueries,
} from "./payment-upkeep.ts";
import type { Promised } from "./promised.ts";
import type { Transfers } from "./transfers.ts";
import type { Writer } from "./writer.ts";

export type PaymentStart =
  | {
      readonly started: true;
      readonly id: string;
      /** What other nodes have in flight for the same payer and request. */
      readonly older?: readonly string[];
      /** False when, of what was written when it began, no payment of this payer for this request can matter. */
      readonly has_earlier?: boolean;
    }
  | { readonly started: false; readonly payment: PaymentRow };

export interface BeginOptions {
  /** Only payments that are open or were never handed over matter to it, and no sale its buyer got. */
  readonly may_repeat?: boolean;
}

/** What is known of a settlement whose outcome is not. */
export interface UnknownSettlement {
  readonly transaction?: string | undefined;
  readonly facilitator?: string | undefined;
}

/** What is read of payments. */
export interface PaymentQueries extends UpkeepQueries {
  /** As far as it is written: `find` sees what waits to be, too. */
  findByReplayKey(replay_key: string): PaymentRow | null;
  get(id: string): PaymentRow | null;
  /** By the hash of payer and identifier. */
  findByIdentifier(identifier: string): PaymentRow | null;
  /** Payments of a payer whose outcome is not known and that can still be taken. */
  countOpen(payer: string): number;
  /**
   * The payment of this payer for this request that may already have paid for it: one whose outcome is open, but for
   * those that can be taken no more and were passed over by a later sale; else what was sold last.
   */
  findEarlier(payer: string, fingerprint: string, not_id: string): PaymentRow | null;
}

/** The durable half of the payment state machine. Each promise resolves only when the change is on disk. */
export interface PaymentCommands extends UpkeepCommands {
  /**
   * Takes a payment in by its replay key. Ended attempts (rejected, abandoned, settle_failed) restart. The caller makes
   * sure that one replay key is begun once at a time. Does not wait for the disk: the row is there at the latest with
   * `keepAnswer`, because until then there is nothing to lose.
   * @throws NodeError ledger_unavailable while the ledger refuses writes.
   */
  begin(payment: NewPayment, more?: BeginOptions): Promise<PaymentStart>;
  /** By its replay key; sees what was begun or dropped and waits to be written. */
  find(replay_key: string): Promise<PaymentRow | null>;
  /** Ends an attempt in which nothing was charged. Nobody need wait; never rejects. */
  drop(id: string, replay_key: string, end: { state: "rejected" | "abandoned"; reason: string }): Promise<void>;
  /** Ends a payment whose settlement was tried. */
  end(id: string, state: "abandoned" | "settle_failed", reason: string): Promise<void>;
  /**
   * For a payment that is in flight although nothing works on it, as a failed disk leaves it: before `settling` nothing
   * was charged, and it is `abandoned`; from then on the chain has the word, and it is `unknown`. One that has moved on
   * stays as it is.
   * @returns the row as it is then; null when there is none.
   */
  wake(id: string): Promise<PaymentRow | null>;
  /**
   * Stores the answer before money moves, so that it survives whatever happens next.
   * @throws NodeError identifier_conflict when another payment has the identifier.
   */
  keepAnswer(id: string, answer: string, kept?: Kept): Promise<void>;
  markUnknown(id: string, reason: string, known?: UnknownSettlement): Promise<void>;
  /**
   * One commit: settled, the transfer, the receipt, and what was bought.
   * @returns null when this chain transaction paid for another payment: then it is `unknown`.
   */
  settle(id: string, settled: SettledPayment): Promise<BookedSale | null>;
  markDelivered(id: string): Promise<void>;
  markUndelivered(id: string): Promise<void>;
}

export type PaymentBooks = PaymentCommands & Promised<PaymentQueries>;

/** Payments as callers see them. */
export interface Payments extends Omit<PaymentBooks, "begin"> {
  /** As the books do it; who began learns whether he has to look for earlier payments. */
  begin(payment: NewPayment, more?: BeginOptions): Promise<Started | Exclude<PaymentStart, { started: true }>>;
}

export interface Started extends Extract<PaymentStart, { started: true }> {
  /**
   * Whether an earlier payment of this payer for this request may have paid for it already, as of now: only then need
   * `findEarlier` be asked.
   */
  readonly mayHaveEarlier: () => boolean;
}

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

const read = (row: Row | null): PaymentRow | null => (row ? fromRow(row) : null);

/** Commands of one thread, and what a flush does first. */
export interface OwnPaymentCommands extends PaymentCommands {
  /** Queues the rows of payments that have none yet. */
  writeBegun(): void;
}

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

  // Ages of payments are compared with the clock, so they are told by the clock: the ledger's own time never goes back,
  // and after a clock that was days ahead it would call every new payment older or younger than it is.
  const wall = () => clock.now() * 1000;

  /** Replay keys whose newest state is still queued: whoever asks for one of them has it written first. */
  const queued = new Set<string>();
  const findRow = (replay_key: string): Row | null => {
    if (queued.has(replay_key)) writer.flushNow();
    return sql.by_key.get(replay_key);
  };
  /** Work nobody waits for, about one replay key; what fails of it is found out by whoever comes next. */
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
  /** What waits for its first row gets it, in the commit of whatever is done with it next. */
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
