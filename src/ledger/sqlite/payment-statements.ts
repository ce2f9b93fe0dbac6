import type { Database } from "bun:sqlite";
import type { PaymentState } from "../payment-row.ts";
import { SELECT_PAYMENT, type StoredPayment, type Text, type Values } from "../payment-statements.ts";
import type { ReceiptLabel } from "../receipts.ts";

export type PaymentStatements = ReturnType<typeof preparePayments>;

/** Every statement of the payments, prepared once. */
export const preparePayments = (db: Database) => ({
  ...preparePaymentReads(db),
  ...prepareAttempts(db),
  ...prepareSettlements(db),
});

export function preparePaymentReads(db: Database) {
  const by_key = db.query<StoredPayment, [string]>(`${SELECT_PAYMENT} WHERE p.replay_key = ?`);
  const by_id = db.query<StoredPayment, [string]>(`${SELECT_PAYMENT} WHERE p.id = ?`);
  const by_identifier = db.query<StoredPayment, [string]>(`${SELECT_PAYMENT} WHERE p.identifier = ?`);
  const state = db.query<{ state: PaymentState; amount: bigint }, [string]>(
    "SELECT state, amount FROM payments WHERE id = ?",
  );
  const owner = db.query<{ payment_id: string }, [string, string, string]>(
    "SELECT payment_id FROM receipts WHERE network = ? AND chain_transaction = ? AND payment_id <> ? LIMIT 1",
  );
  // Open payments come first, except those that can no longer be taken and that a later sale passed over. Then
  // come those whose answer was not delivered, then the nearest in time: not the newest, because a payment booked under
  // a wrong clock must not hide later ones. Of a buyer who calls all day only the newest are looked at: an open one is
  // always among them, because nothing is settled while it may still be taken. The plus keeps SQLite from preparing
  // the statement anew each time: it copies a bare parameter into other terms, and then plans by its value. Indexes are
  // used all the same.
  const earlier = db.query<
    StoredPayment,
    { $payer: string; $fingerprint: string; $id: string; $now: number; $day: number }
  >(
    `${SELECT_PAYMENT} WHERE p.id = (
       SELECT id FROM (
         SELECT *, max(CASE WHEN state = 'settled' THEN created_at END) OVER () AS sold_at FROM (
           SELECT id, state, delivered, valid_until, created_at, abs(updated_at - $now) AS age FROM payments
           WHERE payer = +$payer AND fingerprint = +$fingerprint AND id <> $id
             AND state IN ('unknown', 'settled') AND answer IS NOT NULL ORDER BY created_at DESC LIMIT 20))
       ORDER BY state = 'unknown' AND (valid_until > $now / 1000 OR created_at > coalesce(sold_at, 0)) DESC,
         state = 'unknown', delivered = 0 AND age < $day DESC, age LIMIT 1)`,
  );
  // Each reads a single index, and needs no plus: its parameter appears in no other term.
  const has_any = db.query<unknown, [string, string]>(
    "SELECT 1 FROM payments WHERE payer = ? AND fingerprint = ? LIMIT 1",
  );
  const has_open = db.query<unknown, [string]>(
    `SELECT 1 FROM payments WHERE payer = ?1 AND state = 'unknown'
     UNION ALL SELECT 1 FROM payments WHERE payer = ?1 AND state = 'settled' AND delivered = 0 LIMIT 1`,
  );
  const open = db.query<{ n: bigint }, [string, number]>(
    "SELECT count(*) AS n FROM payments WHERE state = 'unknown' AND payer = ? AND valid_until > ?",
  );
  return { by_key, by_id, by_identifier, state, owner, earlier, has_any, has_open, open };
}

/** What happens before money moves. */
function prepareAttempts(db: Database) {
  const insert = db.query<null, Values>(
    `INSERT INTO payments (id, replay_key, payload_hash, fingerprint, product, network, asset, payer, pay_to, amount,
       valid_until, payload, state, facilitator, reason, answer, identifier, proof, purchase, created_at, updated_at,
       door, authorized)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (replay_key) DO NOTHING`,
  );
  const restart = db.query(
    `UPDATE payments SET state = 'received', payload_hash = $payload_hash, fingerprint = $fingerprint,
       product = $product, amount = $amount, payer = $payer, valid_until = $valid_until, payload = $payload,
       facilitator = NULL, reason = NULL, answer = NULL, hint_transaction = NULL, identifier = NULL, proof = NULL,
       purchase = NULL, authorized = NULL, delivered = 1, updated_at = $at
     WHERE replay_key = $replay_key AND state IN ('rejected', 'abandoned', 'settle_failed')`,
  );
  // A payment that ended before money moved is never looked up on a chain: its signed payload is not kept.
  const move = db.query(
    `UPDATE payments SET state = $to, payload = iif($to IN ('rejected', 'abandoned'), '', payload),
       reason = coalesce($reason, reason),
       facilitator = coalesce($facilitator, facilitator), hint_transaction = coalesce($hint, hint_transaction),
       updated_at = $at
     WHERE id = $id`,
  );
  const keep = db.query<null, Values>(
    `UPDATE payments SET state = 'settling', answer = ?, identifier = ?, proof = ?, purchase = ?,
       facilitator = coalesce(?, facilitator), door = ?, amount = coalesce(?, amount), authorized = ?, updated_at = ?
     WHERE id = ?`,
  );
  const free_identifier = db.query<null, [string]>("UPDATE payments SET identifier = NULL WHERE id = ?");
  return { insert, restart, move, keep, free_identifier };
}

/** The statements for payments whose money has moved. */
function prepareSettlements(db: Database) {
  const settled = db.query<null, [string, number, Text, number, string]>(
    `UPDATE payments SET state = 'settled', chain_transaction = ?, delivered = ?, reason = NULL,
       facilitator = coalesce(?, facilitator), updated_at = ?
     WHERE id = ? AND state IN ('settling', 'unknown')`,
  );
  const receipt = db.query<null, Values>(
    `INSERT INTO receipts (id, payment_id, transfer_id, network, chain_transaction, product, asset, amount, payer,
       pay_to, label, settled_at, facilitator, request_sha256, response_sha256)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const settled_at = db.query<{ settled_at: bigint }, [string]>("SELECT settled_at FROM receipts WHERE id = ?");
  const total = db.query<null, [string, ReceiptLabel, number, bigint, number]>(
    `INSERT INTO receipt_totals (product, label, count, amount, last_settled_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (product, label) DO UPDATE SET count = count + excluded.count, amount = amount + excluded.amount,
       last_settled_at = excluded.last_settled_at`,
  );
  const delivered = db.query("UPDATE payments SET delivered = $delivered WHERE id = $id AND state = 'settled'");
  // From the settlement on, the key's own row holds it, and drops it in time.
  const forget_salt = db.query(
    "UPDATE payments SET purchase = json_remove(purchase, '$.target.key.salt') WHERE id = ?",
  );
  return { settled, receipt, settled_at, total, delivered, forget_salt };
}
