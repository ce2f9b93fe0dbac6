import type { Database } from "bun:sqlite";
import type { PaymentRow, PaymentState } from "./payments.ts";

/** A payment as SQLite gives it. */
export interface Row {
  id: string;
  replay_key: string;
  payload_hash: string;
  fingerprint: string;
  product: string;
  network: string;
  asset: string;
  payer: string;
  pay_to: string;
  amount: bigint;
  valid_until: bigint;
  payload: string;
  state: PaymentState;
  facilitator: string | null;
  reason: string | null;
  answer: string | null;
  chain_transaction: string | null;
  delivered: bigint;
  receipt_id: string | null;
  purchase: string | null;
  created_at: bigint;
  updated_at: bigint;
}

export const fromRow = (row: Row): PaymentRow => {
  const { valid_until, delivered, created_at, updated_at, ...rest } = row;
  return {
    ...rest,
    valid_until_ms: Number(valid_until),
    delivered: delivered === 1n,
    created_at_ms: Math.floor(Number(created_at) / 1000),
    updated_at_ms: Math.floor(Number(updated_at) / 1000),
  };
};

const COLUMNS = "p.*, (SELECT r.id FROM receipts r WHERE r.payment_id = p.id) AS receipt_id";

/** Every statement of the payments, prepared once. */
export function preparePayments(db: Database) {
  const by_key = db.query<Row, [string]>(`SELECT ${COLUMNS} FROM payments p WHERE p.replay_key = ?`);
  const by_id = db.query<Row, [string]>(`SELECT ${COLUMNS} FROM payments p WHERE p.id = ?`);
  const insert = db.query(
    `INSERT INTO payments (id, replay_key, payload_hash, fingerprint, product, network, asset, payer, pay_to, amount,
       valid_until, payload, state, created_at, updated_at)
     VALUES ($id, $replay_key, $payload_hash, $fingerprint, $product, $network, $asset, $payer, $pay_to, $amount,
       $valid_until, $payload, 'received', $at, $at)
     ON CONFLICT (replay_key) DO NOTHING`,
  );
  const restart = db.query(
    `UPDATE payments SET state = 'received', payload_hash = $payload_hash, fingerprint = $fingerprint,
       product = $product, amount = $amount, payer = $payer, valid_until = $valid_until, payload = $payload,
       facilitator = NULL, reason = NULL, answer = NULL, purchase = NULL, delivered = 1, updated_at = $at
     WHERE replay_key = $replay_key AND state IN ('rejected', 'abandoned', 'settle_failed')`,
  );
  const move = db.query(
    `UPDATE payments SET state = $to, reason = coalesce($reason, reason),
       facilitator = coalesce($facilitator, facilitator),
       answer = coalesce($answer, answer), purchase = coalesce($purchase, purchase), updated_at = $at
     WHERE id = $id AND instr($from, ',' || state || ',') > 0`,
  );
  const settled = db.query(
    `UPDATE payments SET state = 'settled', chain_transaction = $chain, delivered = $delivered, reason = NULL,
       updated_at = $at WHERE id = $id AND state IN ('settling', 'unknown')`,
  );
  const receipt = db.query(
    `INSERT INTO receipts (id, payment_id, transfer_id, network, chain_transaction, product, asset, amount, payer,
       pay_to, label, settled_at)
     SELECT $receipt, id, $transfer, network, $chain, product, asset, amount, payer, pay_to, $label, $at
     FROM payments WHERE id = $id`,
  );
  const total = db.query(
    `INSERT INTO receipt_totals (product, label, count, amount, last_settled_at)
     SELECT product, label, 1, amount, settled_at FROM receipts WHERE id = ?
     ON CONFLICT (product, label) DO UPDATE SET count = count + 1, amount = amount + excluded.amount,
       last_settled_at = excluded.last_settled_at`,
  );
  const delivered = db.query("UPDATE payments SET delivered = $delivered WHERE id = $id AND state = 'settled'");
  const earlier = db.query<Row, [string, string, string]>(
    `SELECT ${COLUMNS} FROM payments p WHERE p.payer = ? AND p.fingerprint = ? AND p.id <> ?
       AND p.state IN ('unknown', 'settled') AND p.answer IS NOT NULL ORDER BY p.created_at DESC LIMIT 1`,
  );
  const unknown = db.query<Row, [number]>(
    `SELECT ${COLUMNS} FROM payments p WHERE p.state = 'unknown' ORDER BY p.created_at LIMIT ?`,
  );
  // From the settlement on, the key's own row holds it, and drops it in time.
  const forget_salt = db.query(
    "UPDATE payments SET purchase = json_remove(purchase, '$.target.key.salt') WHERE id = ?",
  );
  return { forget_salt, by_key, by_id, insert, restart, move, settled, receipt, total, delivered, earlier, unknown };
}
