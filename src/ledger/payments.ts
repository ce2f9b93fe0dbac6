import type { Database } from "bun:sqlite";
import type { Clock } from "../core/clock.ts";
import { assertInvariant, NodeError } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import { newId } from "../core/ids.ts";
import type { KeyPurchases } from "./keys.ts";
import type { NewPayment, PaymentRow, PaymentState } from "./payment-row.ts";
import { fromRow, preparePaymentReads, preparePayments, type Row } from "./payment-statements.ts";
import {
  createUpkeepCommands,
  createUpkeepQueries,
  type UpkeepCommands,
  type UpkeepQueries,
} from "./payment-upkeep.ts";
import type { Promised } from "./promised.ts";
import { readPurchase } from "./purchase.ts";
import type { ReceiptLabel } from "./receipts.ts";
import { ACCOUNTS, chainAccount, type Transfers } from "./transfers.ts";
import type { Writer } from "./writer.ts";

export type PaymentStart =
  /** `older`: what other nodes have in flight for the same payer and request. */
  | { readonly started: true; readonly id: string; readonly older?: readonly string[] }
  | { readonly started: false; readonly payment: PaymentRow };

export interface SettledPayment {
  readonly chain_transaction: string;
  readonly label: ReceiptLabel;
  /** False when the buyer was already told "unknown" or has hung up: his next payment gets this answer instead. */
  readonly delivered: boolean;
  /** Who settled it, when that is not the one who verified it. */
  readonly facilitator?: string | undefined;
}

/** What is known of a settlement whose outcome is not. */
export interface UnknownSettlement {
  readonly transaction?: string | undefined;
  readonly facilitator?: string | undefined;
}

/** What is stored with an answer. */
export interface Kept {
  /** What is to happen in the commit that settles it, as JSON. */
  readonly purchase?: string | undefined;
  readonly identifier?: string | null;
  readonly proof?: string | null;
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
  /** The newest payment of this payer for this request that may already have paid for it. */
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
  begin(payment: NewPayment): Promise<PaymentStart>;
  /** By its replay key; sees what was begun or dropped and waits to be written. */
  find(replay_key: string): Promise<PaymentRow | null>;
  /** Moves on; nothing outside depends on it, so nobody need wait. Never rejects. */
  note(id: string, state: "verified" | "producing", facilitator: string): Promise<void>;
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

export interface BookedSale {
  readonly receipt_id: string;
  /** Whether it made a key, or changed one. */
  readonly changed_key: boolean;
}

export type PaymentBooks = PaymentCommands & Promised<PaymentQueries>;

/** Payments as callers see them. */
export interface Payments extends Omit<PaymentBooks, "settle"> {
  /**
   * One commit: settled, the transfer, the receipt, and what was bought.
   * @returns the receipt's id; null when this chain transaction paid for another payment: then it is `unknown`.
   */
  settle(id: string, settled: SettledPayment): Promise<string | null>;
}

const DAY_US = 86_400_000_000;
const REASON_CHARS_MAX = 300;
const TRANSACTION_CHARS_MAX = 100;
const RESTARTABLE: ReadonlySet<PaymentState> = new Set(["rejected", "abandoned", "settle_failed"]);

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

export function createPaymentCommands(options: PaymentsOptions): PaymentCommands {
  const { db, writer, tick, clock, transfers, keys } = options;
  const sql = preparePayments(db);

  interface Move {
    readonly id: string;
    readonly from: readonly PaymentState[];
    readonly to: PaymentState;
    readonly reason?: string | undefined;
    readonly facilitator?: string | undefined;
    readonly hint?: string | undefined;
  }
  const moveIf = ({ id, from, to, reason, facilitator, hint }: Move): boolean => {
    const { changes } = sql.move.run({
      $id: id,
      $from: `,${from.join(",")},`,
      $to: to,
      $reason: reason?.slice(0, REASON_CHARS_MAX) ?? null,
      $facilitator: facilitator ?? null,
      $hint: hint?.slice(0, TRANSACTION_CHARS_MAX) ?? null,
      $at: wall(),
    });
    return changes === 1;
  };
  const moveNow = (wanted: Move): void => {
    const { id, from, to } = wanted;
    assertInvariant(moveIf(wanted), `payment ${id} cannot become ${to}: it is not ${from.join(" or ")}`);
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

  const begin = async (payment: NewPayment): Promise<PaymentStart> => {
    const known = findRow(payment.replay_key);
    if (known && !RESTARTABLE.has(known.state)) return { started: false, payment: fromRow(known) };
    writer.assertTaking();
    const at = wall();
    const id = known?.id ?? newId("pay", at / 1000);
    const { valid_until_ms, ...rest } = payment;
    const values = {
      $replay_key: rest.replay_key,
      $payload_hash: rest.payload_hash,
      $fingerprint: rest.fingerprint,
      $product: rest.product,
      $amount: rest.amount,
      $payer: rest.payer,
      $valid_until: valid_until_ms,
      $payload: rest.payload,
      $at: at,
    };
    const whole = { ...values, $id: id, $network: rest.network, $asset: rest.asset, $pay_to: rest.pay_to };
    // A row that cannot be written shows at keepAnswer, which then finds nothing to move and charges nothing.
    queued.add(rest.replay_key);
    writer.writeLater(
      () => {
        queued.delete(rest.replay_key);
        if (known) sql.restart.run(values);
        else sql.insert.run(whole);
      },
      () => queued.delete(rest.replay_key),
    );
    return { started: true, id };
  };

  /** A transaction of the chain pays for one sale, whatever a facilitator says. */
  const isTaken = (row: Row, chain_transaction: string): boolean => {
    const other = sql.owner.get(row.network, chain_transaction, row.id);
    if (!other) return false;
    const reason = `transaction ${chain_transaction} paid for ${other.payment_id}`;
    moveNow({ id: row.id, from: ["settling", "unknown"], to: "unknown", reason });
    return true;
  };

  const post = ({ id, network, amount }: Row): number => {
    const [from, to] = [chainAccount(network), ACCOUNTS.sales];
    return transfers.post({ kind: "sale", reference: id, from, to, amount, at: tick() });
  };

  const settleNow = (id: string, settlement: SettledPayment): BookedSale | null => {
    const { chain_transaction, label, delivered, facilitator = null } = settlement;
    const row = sql.by_id.get(id);
    assertInvariant(row !== null, `payment ${id} exists`);
    // Two paths (the request and the reconciler) may both learn that it was settled; the first one books it.
    if (row.state === "settled" && row.receipt_id !== null) {
      return { receipt_id: row.receipt_id, changed_key: row.purchase !== null };
    }
    const chain = canonicalTransaction(chain_transaction);
    if (isTaken(row, chain)) return null;
    const at = tick();
    const values = { $id: id, $chain: chain, $delivered: delivered ? 1 : 0, $facilitator: facilitator, $at: wall() };
    assertInvariant(sql.settled.run(values).changes === 1, `I5: payment ${id} cannot settle from ${row.state}`);
    const bought = row.purchase === null ? null : readPurchase(row.purchase);
    const receipt_id = bought?.receipt_id ?? newId("rcp", at / 1000);
    const { network, amount } = row;
    sql.receipt.run({
      $receipt: receipt_id,
      $transfer: bought ? keys.applyPurchase(bought, { id, network, amount, at: tick() }) : post(row),
      $chain: chain,
      $label: label,
      $at: at,
      $id: id,
      $response: row.answer === null ? null : sha256Hex(row.answer),
    });
    if (bought) sql.forget_salt.run(id);
    sql.total.run(receipt_id);
    return { receipt_id, changed_key: bought !== null };
  };

  /** Work nobody waits for; what fails of it is found out by whoever comes next. */
  const later = (work: () => void, failed: () => void = () => undefined): Promise<void> =>
    new Promise((resolve) => {
      const giveUp = () => {
        failed();
        resolve();
      };
      writer.writeLater(work, giveUp, resolve);
    });

  const running: readonly PaymentState[] = ["received", "verified", "producing"];

  return {
    begin,
    find: async (replay_key) => read(findRow(replay_key)),
    note: (id, state, facilitator) => later(() => void moveIf({ id, from: running, to: state, facilitator })),
    drop(id, replay_key, { state, reason }) {
      queued.add(replay_key);
      const work = () => {
        queued.delete(replay_key);
        moveIf({ id, from: running, to: state, reason });
      };
      return later(work, () => queued.delete(replay_key));
    },
    end: (id, to, reason) =>
      writer.write(() => {
        const from: readonly PaymentState[] = to === "settle_failed" ? ["settling", "unknown"] : running;
        moveNow({ id, from, to, reason });
      }),
    wake: (id) =>
      writer.write(() => {
        const row = sql.by_id.get(id);
        if (row === null) return null;
        const reason = `left in ${row.state}`;
        if (row.state === "settling") moveIf({ id, from: ["settling"], to: "unknown", reason });
        else if (running.includes(row.state)) moveIf({ id, from: running, to: "abandoned", reason });
        else return fromRow(row);
        return read(sql.by_id.get(id));
      }),
    keepAnswer: (id, answer, { purchase, identifier = null, proof = null } = {}) =>
      writer.write(() => {
        if (identifier !== null) {
          sql.free_identifier.run(identifier, id);
          const other = sql.by_identifier.get(identifier);
          if (other && other.id !== id) throw identifierTaken();
        }
        const values = { $id: id, $answer: answer, $purchase: purchase ?? null, $proof: proof };
        if (sql.keep.run({ ...values, $identifier: identifier, $at: wall() }).changes === 1) return;
        throw new NodeError("ledger_unavailable", "The ledger could not take the payment. Nothing was charged.", {
          retry_after_s: 30,
        });
      }),
    markUnknown: (id, reason, { transaction, facilitator } = {}) =>
      writer.write(() =>
        moveNow({ id, from: ["settling", "unknown"], to: "unknown", reason, facilitator, hint: transaction }),
      ),
    settle: (id, outcome) => writer.write(() => settleNow(id, outcome)),
    markDelivered: (id) => writer.write(() => void sql.delivered.run({ $id: id, $delivered: 1 })),
    markUndelivered: (id) => writer.write(() => void sql.delivered.run({ $id: id, $delivered: 0 })),
    ...createUpkeepCommands({ db, writer, tick }),
  };
}

/** Hexadecimal is one number in either case; other chains tell case apart. */
export const canonicalTransaction = (text: string): string =>
  /^0x[0-9a-fA-F]+$/.test(text) ? text.toLowerCase() : text;

const identifierTaken = (): NodeError =>
  new NodeError("identifier_conflict", "This payment identifier stands for another payment. Nothing was charged.");
