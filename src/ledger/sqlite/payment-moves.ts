import type { Database } from "bun:sqlite";
import { assertInvariant } from "../../core/errors.ts";
import { sha256Hex } from "../../core/hash.ts";
import { newId } from "../../core/ids.ts";
import { createLRU } from "../../core/lru.ts";
import { decideKeep, decideSettle } from "../decide/payments.ts";
import type { KeyPurchases } from "../keys.ts";
import { canonicalTransaction, identifierTaken, notTaken, type PaymentMove } from "../payment-moves.ts";
import type { BookedSale, PaymentState } from "../payment-row.ts";
import { type NewReceipt, type PaymentFacts, valuesOf } from "../payment-statements.ts";
import { readPurchase } from "../purchase.ts";
import type { NewTransfer, Transfers } from "../transfers.ts";
import type { Joint } from "../writer.ts";
import type { PaymentStatements } from "./payment-statements.ts";

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

interface KnownPayment {
  readonly facts: PaymentFacts;
  readonly state: PaymentState;
  readonly receipt_id: string | null;
}

/** Between its answer and its settlement a payment's facts are not read again. About 0.5 kB each. */
const FACTS_MAX = 2_000;

/**
 * Payments of one commit, moved together: each has its own row, transfer and receipt, but balances and totals change
 * once for all of them. They are decided in the order of arrival.
 */
export function createPaymentMoves(options: PaymentMovesOptions): Joint<PaymentMove, BookedSale | null> {
  const { sql, tick, wall, transfers, keys, markTaken } = options;
  const known_facts = createLRU<PaymentFacts>(FACTS_MAX);

  const keep = ({ id, begun, answer, kept }: Extract<PaymentMove, { to: "settling" }>): void => {
    const { purchase = null, identifier = null, proof = null, facilitator = null, door = null } = kept;
    const holder = identifier === null ? null : sql.by_identifier.get(identifier);
    const row = begun === null ? sql.state.get(id) : null;
    const state = begun === null ? (row?.state ?? null) : "received";
    const signed = begun?.payment.amount ?? row?.amount ?? null;
    const { result, frees, charged } = decideKeep(id, { state, holder, amount: signed, charge: kept.charge ?? null });
    if (result === "identifier_taken") throw identifierTaken();
    if (result === "not_taken") throw notTaken();
    if (frees !== null) sql.free_identifier.run(frees);
    const at = wall();
    const written = begun
      ? sql.insert.run(
          ...valuesOf(begun, {
            state: "settling",
            facilitator,
            answer,
            identifier,
            proof,
            purchase,
            door,
            charged,
            at,
          }),
        )
      : sql.keep.run(
          ...[answer, identifier, proof, purchase, facilitator, door],
          ...[charged?.amount ?? null, charged?.authorized ?? null, at, id],
        );
    // Its first row finds another attempt's, which was written meanwhile: nothing can be kept for it.
    if (written.changes !== 1) throw notTaken();
    // An attempt that starts over may be for something else.
    if (begun === null) {
      known_facts.delete(id);
      return;
    }
    const { network, asset, product, payer, pay_to, fingerprint } = begun.payment;
    const amount = charged?.amount ?? begun.payment.amount;
    const facts = { id, network, asset, product, payer, pay_to, amount, fingerprint, purchase, facilitator };
    known_facts.set(id, { ...facts, response_sha256: sha256Hex(answer) });
  };

  /** A payment just stored is not read again. If it has moved on since, its settlement is not written. */
  const readPayment = (id: string): KnownPayment | null => {
    const kept = known_facts.get(id);
    if (kept !== undefined) return { facts: kept, state: "settling", receipt_id: null };
    const row = sql.by_id.get(id);
    if (row === null) return null;
    const { state, receipt_id, answer } = row;
    return { facts: { ...row, response_sha256: answer === null ? null : sha256Hex(answer) }, state, receipt_id };
  };

  return {
    run(moves) {
      const waiting: { readonly transfers: readonly NewTransfer[]; readonly receipt: NewReceipt }[] = [];
      const transactions = new Set<string>();
      const ids = new Set<string>();
      const book = (): void => {
        if (waiting.length === 0) return;
        transfers.postAll(waiting.flatMap((one) => one.transfers));
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
        // The payment that is read next has to be in the file.
        if (ids.has(id) || transactions.has(chain)) book();
        const known = readPayment(id);
        assertInvariant(known !== null, `payment ${id} exists`);
        const { facts, state, receipt_id: booked } = known;
        const { network, amount } = facts;
        const is_purchase = facts.purchase !== null;
        const paid_for = sql.owner.get(network, chain, id)?.payment_id ?? null;
        const decided = decideSettle(
          { id, chain_transaction: chain },
          { payment: { state, receipt_id: booked, network, amount, is_purchase }, paid_for },
        );
        if (decided.result === "settled_before") {
          const settled_at_ms = Math.floor(Number(sql.settled_at.get(decided.receipt_id)?.settled_at ?? 0n) / 1000);
          return { receipt_id: decided.receipt_id, changed_key: is_purchase, settled_at_ms };
        }
        known_facts.delete(id);
        if (decided.result === "transaction_taken") {
          markTaken(id, decided.reason);
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
          const funding = { by: "payment" as const, payment_id: id, network, paid: amount };
          const transfer_id = keys.applyPurchase(bought, { funding, at: tick() });
          writeReceipts(sql, [{ ...written, receipt_id, transfer_id, at }]);
          sql.forget_salt.run(id);
          return { ...done, changed_key: true };
        }
        const transfer_id = tick();
        waiting.push({
          transfers: decided.transfers.map((transfer) => ({ ...transfer, at: transfer_id })),
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
