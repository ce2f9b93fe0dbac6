import type { NewTransfer } from "../transfers.ts";

/**
 * Every movement of money, with all its possible results. Any other result is a broken invariant and stops the ledger.
 * The table in `decide.test.ts` tries each of them.
 */
export const RESULTS = {
  /** A call of a key, paid from its balance. */
  debit: ["charged", "named_before", "insufficient_credits", "daily_cap"],
  /** The price of a call, set aside while its answer is produced. */
  hold: ["held", "named_before", "insufficient_credits", "daily_cap"],
  /** A hold whose call was answered. */
  post: ["charged"],
  /** A hold whose call was not. */
  give_back: ["given_back", "ended_before"],
  /** A debit, taken back. */
  refund: ["refunded", "refunded_before", "no_debit"],
  /** What the operator sent back to a buyer by hand. */
  sale_refund: [
    "given_back",
    "given_back_before",
    "no_sale",
    "reference_taken",
    "never_landed",
    "key_in_use",
    "more_than_left",
  ],
  /** What a plan or the operator gives a key. */
  grant: ["granted", "child_key", "revoked"],
  /** Another amount came in for a sale than was booked. */
  correction: ["corrected", "impossible", "missing_already", "so_already", "key_in_use"],
  /** What is left of lots that have ended. */
  expire: ["expired", "nothing_left", "not_ended"],
  /** A signed payment is taken in. */
  payment_begin: ["started", "restarted", "known"],
  /** Its answer is kept, before money moves. */
  payment_keep: ["kept", "identifier_taken", "not_taken"],
  /** It ends, or its outcome is not known. */
  payment_move: ["moved", "stays"],
  /** Its money has moved. */
  payment_settle: ["settled", "settled_before", "transaction_taken"],
  /** A first call that is free. */
  coupon_hold: ["held", "used_before", "client_used_one", "budget_spent"],
  /** Its call was answered. */
  coupon_use: ["used"],
  /** A voucher of a payment channel pays for a call. */
  voucher: ["earned", "missing", "closed", "busy", "moved_on", "balance", "used"],
  /** A channel that the chain has and the books do not. */
  channel_open: ["opened", "known"],
  /** A deposit or refund of a channel is about to be sent. */
  channel_send: ["sending", "missing", "closed", "busy", "moved_on", "balance", "used"],
  /** What became of it; a deposit may have come with a voucher. */
  channel_end: ["landed", "landed_and_earned", "failed", "unknown", "ended_before"],
  /** A channel is brought up to what the chain says. */
  channel_sync: ["synced", "missing", "busy"],
  /** The chain has claimed what vouchers earned. */
  channel_claim: ["claimed", "claimed_before"],
  /** Claimed money came to the wallet. */
  channel_sweep: ["swept", "nothing_to_sweep"],
} as const;

export type Movement = keyof typeof RESULTS;
export type ResultOf<M extends Movement> = (typeof RESULTS)[M][number];

/** A transfer that was decided on. It is dated when it is written. */
export type DecidedTransfer = Omit<NewTransfer, "at">;

/** What every decision says: what the command comes to, and the transfers to be written, in their order. */
export interface Decision<R extends ResultOf<Movement>> {
  readonly result: R;
  readonly transfers: readonly DecidedTransfer[];
}

/** Of what moves nothing. One list for all: most refusals are decided while somebody waits. */
export const NO_TRANSFERS: readonly DecidedTransfer[] = [];
