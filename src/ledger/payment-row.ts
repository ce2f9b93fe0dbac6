import type { ReceiptLabel } from "./receipts.ts";

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
  /** What was signed; with its answer, what is charged of it. */
  readonly amount: bigint;
  /** When the signature dies, ms. */
  readonly valid_until_ms: number;
  /** The signed payload as canonical JSON: reconciliation works from it. */
  readonly payload: string;
}

/**
 * See docs/architecture.md for the picture. `rejected` and `abandoned` never block the same payment from starting
 * over.
 */
export interface PaymentRow extends NewPayment {
  readonly id: string;
  readonly state: PaymentState;
  /** What was signed, where the amount is what was charged of it; null where the amount was signed. */
  readonly authorized: bigint | null;
  readonly facilitator: string | null;
  readonly reason: string | null;
  readonly answer: string | null;
  readonly chain_transaction: string | null;
  /** The transaction a facilitator named while the outcome was open: never believed, only looked at first. */
  readonly hint_transaction: string | null;
  readonly delivered: boolean;
  readonly receipt_id: string | null;
  /** SHA-256 of "<payer> <identifier>": the buyer's own name for it. */
  readonly identifier: string | null;
  /** SHA-256 of a secret only its buyer knows; null when he gave none. */
  readonly proof: string | null;
  /** What a plan purchase does when it settles, as JSON. */
  readonly purchase: string | null;
  /** The door it came through; null if not recorded. */
  readonly door: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

export interface SettledPayment {
  readonly chain_transaction: string;
  readonly label: ReceiptLabel;
  /** False when the buyer already got "unknown" or has hung up: his next payment gets this answer instead. */
  readonly delivered: boolean;
  /** The facilitator that settled it, if another one verified it. */
  readonly facilitator?: string | undefined;
}

/** What is stored with an answer. */
export interface Kept {
  /** What is to happen in the commit that settles it, as JSON. */
  readonly purchase?: string | undefined;
  readonly identifier?: string | null;
  readonly proof?: string | null;
  /** The facilitator that verified it. */
  readonly facilitator?: string | null;
  /** Which door the call came through. */
  readonly door?: string | null;
  /** The charge, of the amount that was signed, atomic; left out if the scheme always charges all of it. */
  readonly charge?: bigint | undefined;
}

export interface BookedSale {
  readonly receipt_id: string;
  /** Whether it made a key, or changed one. */
  readonly changed_key: boolean;
  /** What its receipt says; left out where that takes another question. */
  readonly settled_at_ms?: number;
}
