import type { Database } from "bun:sqlite";
import { assertInvariant, NodeError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { Keys } from "./keys.ts";
import { fromRow, preparePayments, type Row } from "./payment-statements.ts";
import { readPurchase } from "./purchase.ts";
import type { ReceiptLabel } from "./receipts.ts";
import { ACCOUNTS, chainAccount, type Transfers } from "./transfers.ts";
import type { Writer } from "./writer.ts";

/**
 * See docs/architecture.md for the picture. `rejected` and `abandoned` never block the same payment from starting
 * over.
 */
export const PAYMENT_STATES = [
  "received",
  "verified",
  "producing",
  "settling",
  "settled",
  "rejected",
  "abandoned",
  "settle_failed",
  "unknown",
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** What is known of a payment before anything has been done with it. */
export interface NewPayment {
  /** From the signed content, never from header text. */
  readonly replay_key: string;
  /** SHA-256 of the whole signed payload in canonical form, signature included. */
  readonly payload_hash: string;
  /** SHA-256 of the request it pays for. */
  readonly fingerprint: string;
  readonly product: string;
  readonly network: string;
  readonly asset: string;
  readonly payer: string;
  readonly pay_to: string;
  readonly amount: bigint;
  /** When the signature dies, ms. */
  readonly valid_until_ms: number;
  /** The signed payload as canonical JSON: reconciliation works from it. */
  readonly payload: string;
}

export interface PaymentRow extends NewPayment {
  readonly id: string;
  readonly state: PaymentState;
  readonly facilitator: string | null;
  readonly reason: string | null;
  readonly answer: string | null;
  readonly chain_transaction: string | null;
  readonly delivered: boolean;
  readonly receipt_id: string | null;
  /** What a plan purchase does when it settles, as JSON. */
  readonly purchase: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

export type Begun =
  | { readonly started: true; readonly id: string }
  | { readonly started: false; readonly payment: PaymentRow };

export interface Settled {
  readonly chain_transaction: string;
  readonly label: ReceiptLabel;
  /** False when the buyer was already told "unknown" or has hung up: his next payment gets this answer instead. */
  readonly delivered: boolean;
}

/** The durable half of the payment state machine. Each promise resolves only when the change is on disk. */
export interface Payments {
  /**
   * Takes a payment in by its replay key. Ended attempts (rejected, abandoned, settle_failed) restart. The caller makes
   * sure that one replay key is begun once at a time; the row is on disk at the latest with `keepAnswer`, because until
   * then there is nothing to lose.
   */
  begin(payment: NewPayment): Begun;
  find(replay_key: string): PaymentRow | null;
  get(id: string): PaymentRow | null;
  /** Moves on without waiting for the disk: nothing outside depends on it. */
  note(id: string, state: "verified" | "producing", facilitator: string): void;
  /** Ends an attempt in which nothing was charged, without waiting for the disk. */
  drop(id: string, replay_key: string, end: { state: "rejected" | "abandoned"; reason: string }): void;
  /** Ends a payment whose settlement was tried. */
  end(id: string, state: "abandoned" | "settle_failed", reason: string): Promise<void>;
  /**
   * Stores the answer before money moves, so that it survives whatever happens next.
   * @param purchase what is to happen in the commit that settles it.
   */
  keepAnswer(id: string, answer: string, purchase?: string): Promise<void>;
  markUnknown(id: string, reason: string): Promise<void>;
  /** One commit: settled, the transfer, the receipt. Returns the receipt's id. */
  settle(id: string, settled: Settled): Promise<string>;
  markDelivered(id: string): Promise<void>;
  markUndelivered(id: string): Promise<void>;
  /** The newest payment of this payer for this request that may already have paid for it. */
  findEarlier(payer: string, fingerprint: string, not_id: string): PaymentRow | null;
  listUnknown(limit: number): readonly PaymentRow[];
  /** After a start: in-flight rows become `abandoned`, `settling` rows `unknown`. Returns how many of each. */
  recover(): Promise<{ abandoned: number; unknown: number }>;
  /** Drops stored answers older than this; the payment itself stays, so it can never be used again. */
  pruneAnswers(before_ms: number): Promise<number>;
}

const REASON_CHARS_MAX = 300;
const RESTARTABLE: ReadonlySet<PaymentState> = new Set(["rejected", "abandoned", "settle_failed"]);

export interface PaymentsOptions {
  readonly db: Database;
  readonly writer: Writer;
  /** Strictly increasing ledger time, microseconds. */
  readonly tick: () => number;
  readonly transfers: Transfers;
  readonly keys: Pick<Keys, "applyPurchase">;
}

export function createPayments({ db, writer, tick, transfers, keys }: PaymentsOptions): Payments {
  const { by_key, by_id, insert, restart, move, settled, receipt, total, delivered, earlier, unknown, forget_salt } =
    preparePayments(db);

  interface Move {
    readonly id: string;
    readonly from: readonly PaymentState[];
    readonly to: PaymentState;
    readonly reason?: string | undefined;
    readonly facilitator?: string | undefined;
    readonly answer?: string | undefined;
    readonly purchase?: string | undefined;
  }
  const moveIf = ({ id, from, to, reason, facilitator, answer, purchase }: Move): boolean => {
    const { changes } = move.run({
      $id: id,
      $from: `,${from.join(",")},`,
      $to: to,
      $reason: reason?.slice(0, REASON_CHARS_MAX) ?? null,
      $facilitator: facilitator ?? null,
      $answer: answer ?? null,
      $purchase: purchase ?? null,
      $at: tick(),
    });
    return changes === 1;
  };
  const moveNow = (wanted: Move): void => {
    const { id, from, to } = wanted;
    assertInvariant(moveIf(wanted), `payment ${id} cannot become ${to}: it is not ${from.join(" or ")}`);
  };

  /** Replay keys whose newest state is still queued: whoever asks for one of them has it written first. */
  const queued = new Set<string>();
  const findRow = (replay_key: string): Row | null => {
    if (queued.has(replay_key)) writer.flushNow();
    return by_key.get(replay_key);
  };

  const begin = (payment: NewPayment): Begun => {
    const known = findRow(payment.replay_key);
    if (known && !RESTARTABLE.has(known.state)) return { started: false, payment: fromRow(known) };
    const at = tick();
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
        if (known) restart.run(values);
        else insert.run(whole);
      },
      () => queued.delete(rest.replay_key),
    );
    return { started: true, id };
  };

  const settleNow = (id: string, { chain_transaction, label, delivered: handed_over }: Settled): string => {
    const row = by_id.get(id);
    assertInvariant(row !== null, `payment ${id} exists`);
    // Two paths (the request and the reconciler) may both learn that it was settled; the first one books it.
    if (row.state === "settled" && row.receipt_id !== null) return row.receipt_id;
    const at = tick();
    const values = { $id: id, $chain: chain_transaction, $delivered: handed_over ? 1 : 0, $at: at };
    assertInvariant(settled.run(values).changes === 1, `I5: payment ${id} cannot settle from ${row.state}`);
    const bought = row.purchase === null ? null : readPurchase(row.purchase);
    const receipt_id = bought?.receipt_id ?? newId("rcp", at / 1000);
    const { network, amount } = row;
    const post = () => {
      const transfer = { kind: "sale" as const, reference: id, from: chainAccount(network), to: ACCOUNTS.sales };
      return transfers.post({ ...transfer, amount, at: tick() });
    };
    receipt.run({
      $receipt: receipt_id,
      $transfer: bought ? keys.applyPurchase(bought, { id, network, amount, at: tick() }) : post(),
      $chain: chain_transaction,
      $label: label,
      $at: at,
      $id: id,
    });
    if (bought) forget_salt.run(id);
    total.run(receipt_id);
    return receipt_id;
  };

  const read = (row: Row | null): PaymentRow | null => (row ? fromRow(row) : null);
  const running: readonly PaymentState[] = ["received", "verified", "producing"];

  return {
    begin,
    find: (replay_key) => read(findRow(replay_key)),
    get: (id) => read(by_id.get(id)),
    note: (id, state, facilitator) =>
      writer.writeLater(
        () => void moveIf({ id, from: running, to: state, facilitator }),
        () => undefined,
      ),
    drop(id, replay_key, { state, reason }) {
      queued.add(replay_key);
      writer.writeLater(
        () => {
          queued.delete(replay_key);
          moveIf({ id, from: running, to: state, reason });
        },
        () => queued.delete(replay_key),
      );
    },
    end: (id, to, reason) =>
      writer.write(() => {
        const from: readonly PaymentState[] = to === "settle_failed" ? ["settling", "unknown"] : running;
        moveNow({ id, from, to, reason });
      }),
    keepAnswer: (id, answer, purchase) =>
      writer.write(() => {
        if (moveIf({ id, from: running, to: "settling", answer, purchase })) return;
        throw new NodeError("ledger_unavailable", "The ledger could not take the payment. Nothing was charged.", {
          retry_after_s: 30,
        });
      }),
    markUnknown: (id, reason) =>
      writer.write(() => moveNow({ id, from: ["settling", "unknown"], to: "unknown", reason })),
    settle: (id, outcome) => writer.write(() => settleNow(id, outcome)),
    markDelivered: (id) => writer.write(() => void delivered.run({ $id: id, $delivered: 1 })),
    markUndelivered: (id) => writer.write(() => void delivered.run({ $id: id, $delivered: 0 })),
    findEarlier: (payer, fingerprint, not_id) => read(earlier.get(payer, fingerprint, not_id)),
    listUnknown: (limit) => unknown.all(limit).map(fromRow),
    recover: () =>
      writer.write(() => {
        const abandoned = db.run(
          "UPDATE payments SET state = 'abandoned', reason = 'the node stopped before settling', updated_at = ? " +
            "WHERE state IN ('received', 'verified', 'producing')",
          [tick()],
        );
        const settling = db.run(
          "UPDATE payments SET state = 'unknown', reason = 'the node stopped while settling', updated_at = ? " +
            "WHERE state = 'settling'",
          [tick()],
        );
        return { abandoned: abandoned.changes, unknown: settling.changes };
      }),
    pruneAnswers: (before_ms) =>
      writer.write(() => {
        const pruned = db.run(
          "UPDATE payments SET answer = NULL WHERE answer IS NOT NULL AND created_at < ?1 " +
            "AND updated_at < ?1 AND state NOT IN ('settling', 'unknown')",
          [before_ms * 1000],
        );
        return pruned.changes;
      }),
  };
}
