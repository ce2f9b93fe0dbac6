import type { BegunPayment } from "./begun-payments.ts";
import type { NewPayment, PaymentRow, PaymentState } from "./payment-row.ts";
import type { ReceiptLabel } from "./receipts.ts";

/** A payment as SQLite gives it. */
export interface StoredPayment {
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
  authorized: bigint | null;
  valid_until: bigint;
  payload: string;
  state: PaymentState;
  facilitator: string | null;
  reason: string | null;
  answer: string | null;
  chain_transaction: string | null;
  hint_transaction: string | null;
  identifier: string | null;
  proof: string | null;
  delivered: bigint;
  receipt_id: string | null;
  purchase: string | null;
  door: string | null;
  created_at: bigint;
  updated_at: bigint;
}

export const fromRow = (row: StoredPayment): PaymentRow => {
  const { valid_until, delivered, created_at, updated_at, ...rest } = row;
  return {
    ...rest,
    valid_until_ms: Number(valid_until),
    delivered: delivered === 1n,
    created_at_ms: Math.floor(Number(created_at) / 1000),
    updated_at_ms: Math.floor(Number(updated_at) / 1000),
  };
};

/** A payment with its receipt; to be followed by the condition. */
export const SELECT_PAYMENT =
  "SELECT p.*, (SELECT r.id FROM receipts r WHERE r.payment_id = p.id) AS receipt_id FROM payments p";

/** The members of a payment that its receipt contains. */
export interface PaymentFacts
  extends Pick<NewPayment, "network" | "asset" | "product" | "payer" | "pay_to" | "amount" | "fingerprint"> {
  readonly id: string;
  readonly facilitator: string | null;
  readonly purchase: string | null;
  readonly response_sha256: string | null;
}

export interface NewReceipt extends Omit<PaymentFacts, "id" | "purchase"> {
  readonly receipt_id: string;
  readonly payment_id: string;
  readonly transfer_id: number;
  readonly chain: string;
  readonly label: ReceiptLabel;
  /** Ledger time, microseconds. */
  readonly at: number;
}

export type Text = string | null;

/** What a first row holds besides what the payment does. `at`: when it was last changed, microseconds. */
interface FirstRow {
  readonly state: PaymentState;
  readonly at: number;
  readonly facilitator?: Text;
  readonly reason?: Text;
  readonly answer?: Text;
  readonly identifier?: Text;
  readonly proof?: Text;
  readonly purchase?: Text;
  readonly door?: Text;
  /** What is charged, and what was signed for it, where these are two. */
  readonly charged?: { readonly amount: bigint; readonly authorized: bigint } | null;
}

export type Values = (Text | number | bigint)[];

/** A payment's first row, as `insert` takes it. */
export function valuesOf({ id, payment, at: created_at }: BegunPayment, first: FirstRow): Values {
  const { replay_key, payload_hash, fingerprint, product, network, asset, payer, pay_to } = payment;
  const { state, at, facilitator = null, reason = null, answer = null } = first;
  const { identifier = null, proof = null, purchase = null, door = null, charged = null } = first;
  const { amount, authorized } = charged ?? { amount: payment.amount, authorized: null };
  // A payment that ended before money moved is never looked up on a chain: its signed payload is not kept.
  const payload = state === "rejected" || state === "abandoned" ? "" : payment.payload;
  return [
    ...[id, replay_key, payload_hash, fingerprint, product, network, asset, payer, pay_to],
    ...[amount, payment.valid_until_ms, payload],
    ...[state, facilitator, reason, answer, identifier, proof, purchase, created_at, at, door, authorized],
  ];
}
