import type { NewTransfer } from "../transfers.ts";

/**
 * Every movement of money, with all it can come to. What is not in here is a broken invariant and stops the ledger.
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
  /** What a plan or the operator gives a key. */
  grant: ["granted", "child_key", "revoked"],
  /** What is left of lots that have ended. */
  expire: ["expired", "nothing_left", "not_ended"],
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
