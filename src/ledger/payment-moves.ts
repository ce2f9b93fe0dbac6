import type { Database } from "bun:sqlite";
import { assertInvariant, NodeError } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import { newId } from "../core/ids.ts";
import { createLRU } from "../core/lru.ts";
import type { BegunPayment } from "./begun-payments.ts";
import type { KeyPurchases } from "./keys.ts";
import type { BookedSale, Kept, SettledPayment } from "./payment-row.ts";
import { type NewReceipt, type PaymentFacts, type PaymentStatements, valuesOf } from "./payment-statements.ts";
import { readPurchase } from "./purchase.ts";
import { ACCOUNTS, chainAccount, type NewTransfer, type Transfers } from "./transfers.ts";
import type { Joint } from "./writer.ts";

/** The two steps every sale takes on disk: its answer before money moves, and its receipt after. */
export type PaymentMove =
  | {
      readonly to: "settling";
      readonly id: string;
      /** Not written yet: it gets its row with its answer. */
      readonly begun: BegunPayment | null;
      readonly answer: string;
      readonly kept: Kept;
    }
  | { readonly to: "settled"; readonly id: string; readonly settled: SettledPayment };

export interface PaymentMovesOptions {
  readonly db: Database;
  readonly sql: PaymentStatements;
  /** Strictly increasing ledger time, microseconds. */
  readonly tick: () => number;
  /** The clock, microseconds. */
  readonly wall: () => number;
  readonly transfers: Transfers;
  readonly keys: KeyPurchases;
  /** Moves a payment whose chain transaction paid for another one. @throws InvariantError */
  readonly markTaken: (id: string, reason: string) => void;
}

/** Between its answer and its settlement a payment's facts are not read again. About 0.5 kB each. */
const FACTS_MAX = 2_000;

/**
 * Payments of one commit, moved together: each has a row, a transfer and a receipt of its own, but balances and totals
 * change once for all of them. They are decided in the order they came.
 */
export function createPaymentMoves(options: PaymentMovesOptions): Joint<PaymentMove, BookedSale | null> {
  const { sql, tick, wall, transfers, keys, markTaken } = options;
  const known_facts = createLRU<PaymentFacts>(FACTS_MAX);

  const keep = ({ id, begun, answer, kept }: Extract<PaymentMove, { to: "settling" }>): void => {
    const { purchase = null, identifier = null, proof = null, facilitator = null } = kept;
    if (identifier !== null) {
      sql.free_identifier.run(identifier, id);
      const other = sql.by_identifier.get(identifier);
      if (other && other.id !== id) throw identifierTaken();
    }
    const at = wall();
    const written = begun
      ? sql.insert.run(...valuesOf(begun, { state: "settling", facilitator, answer, identifier, proof, purchase, at }))
      : sql.keep.run(answer, identifier, proof, purchase, facilitator, at, id);
    // A row that another attempt took, or that was lost with a thread: nothing can be kept for it.
    if (written.changes !== 1) throw notTaken();
    // An attempt that starts over may be for something else.
    if (begun === null) {
      known_facts.delete(id);
      return;
    }
    const { network, asset, product, payer, pay_to, amount, fingerprint } = begun.payment;
    const facts = { id, network, asset, product, payer, pay_to, amount, fingerprint, purchase, facilitator };
    known_facts.set(id, { ...facts, response_sha256: sha256Hex(answer) });
  };

  return {
    run(moves) {
      const waiting: { readonly transfer: NewTransfer; readonly receipt: NewReceipt }[] = [];
      const transactions = new Set<string>();
      const ids = new Set<string>();
      const book = (): void => {
        if (waiting.length === 0) return;
        transfers.postAll(waiting.map(({ transfer }) => transfer));
        writeReceipts(
          sql,
          waiting.map(({ receipt }) => receipt),
        );
        waiting.length = 0;
        transactions.clear();
        ids.clear();
      };

      const settle = ({ id, settled }: Extract<PaymentMove, { to: "settled" }>): BookedSale | null => {
        const { chain_transaction, label, delivered, facilitator = null } = settled;
        const chain = canonicalTransaction(chain_transaction);
        // What is asked about next has to be in the file.
        if (ids.has(id) || transactions.has(chain)) book();
        let facts = known_facts.get(id);
        if (facts === undefined) {
          const row = sql.by_id.get(id);
          assertInvariant(row !== null, `payment ${id} exists`);
          // Two paths (the request and the reconciler) may both learn that it was settled; the first one books it.
          if (row.state === "settled" && row.receipt_id !== null) {
            const settled_at_ms = Math.floor(Number(sql.settled_at.get(row.receipt_id)?.settled_at ?? 0n) / 1000);
            return { receipt_id: row.receipt_id, changed_key: row.purchase !== null, settled_at_ms };
          }
          facts = { ...row, response_sha256: row.answer === null ? null : sha256Hex(row.answer) };
        }
        known_facts.delete(id);
        const { network, amount } = facts;
        // A transaction of the chain pays for one sale, whatever a facilitator says.
        const other = sql.owner.get(network, chain, id);
        if (other) {
          markTaken(id, `transaction ${chain} paid for ${other.payment_id}`);
          return null;
        }
        const at = tick();
        const moved = sql.settled.run(chain, delivered ? 1 : 0, facilitator, wall(), id);
        if (moved.changes !== 1) {
          assertInvariant(false, `I5: payment ${id} cannot settle from ${sql.by_id.get(id)?.state ?? "nothing"}`);
        }
        const bought = facts.purchase === null ? null : readPurchase(facts.purchase);
        const receipt_id = bought?.receipt_id ?? newId("rcp", at / 1000);
        const written = { ...facts, payment_id: id, chain, label, facilitator: facilitator ?? facts.facilitator };
        const done = { receipt_id, settled_at_ms: Math.floor(at / 1000) };
        if (bought) {
          book();
          const transfer_id = keys.applyPurchase(bought, { id, network, amount, at: tick() });
          writeReceipts(sql, [{ ...written, receipt_id, transfer_id, at }]);
          sql.forget_salt.run(id);
          return { ...done, changed_key: true };
        }
        const transfer_id = tick();
        const [from, to] = [chainAccount(network), ACCOUNTS.sales];
        waiting.push({
          transfer: { kind: "sale", reference: id, from, to, amount, at: transfer_id },
          receipt: { ...written, receipt_id, transfer_id, at },
        });
        ids.add(id);
        transactions.add(chain);
        return { ...done, changed_key: false };
      };

      const booked = moves.map((move) => {
        if (move.to === "settled") return settle(move);
        keep(move);
        return null;
      });
      book();
      return booked;
    },
  };
}

function writeReceipts(sql: PaymentStatements, receipts: readonly NewReceipt[]): void {
  const totals = new Map<string, { readonly one: NewReceipt; count: number; amount: bigint; last: number }>();
  for (const one of receipts) {
    const { receipt_id, payment_id, transfer_id, network, chain, product, asset, amount, payer, pay_to, label } = one;
    sql.receipt.run(
      ...[receipt_id, payment_id, transfer_id, network, chain, product, asset, amount, payer, pay_to, label, one.at],
      ...[one.facilitator, one.fingerprint, one.response_sha256],
    );
    const name = `${label} ${product}`;
    const total = totals.get(name) ?? { one, count: 0, amount: 0n, last: one.at };
    totals.set(name, { one, count: total.count + 1, amount: total.amount + amount, last: one.at });
  }
  for (const { one, count, amount, last } of totals.values()) {
    sql.total.run(one.product, one.label, count, amount, last);
  }
}

/** Hexadecimal is one number in either case; other chains tell case apart. */
export const canonicalTransaction = (text: string): string =>
  /^0x[0-9a-fA-F]+$/.test(text) ? text.toLowerCase() : text;

const identifierTaken = (): NodeError =>
  new NodeError("identifier_conflict", "This payment identifier stands for another payment. Nothing was charged.");

const notTaken = (): NodeError =>
  new NodeError("ledger_unavailable", "The ledger could not take the payment. Nothing was charged.", {
    retry_after_s: 30,
  });
