import { NodeError } from "../core/errors.ts";
import { type Corrected, decideCorrection, type SaleState } from "./decide/corrections.ts";
import type { Promised } from "./promised.ts";

/** What the operator found that came in for a sale. */
export interface NewCorrection {
  readonly receipt_id: string;
  /** Atomic USDC; 0 is a payment that never landed. */
  readonly received: bigint;
  /** What names it on the operator's side: the same one is written once. */
  readonly reference: string;
  readonly reason: string;
}

export interface Correction extends NewCorrection {
  readonly at_ms: number;
  /** What the books took off the sale; below zero: put back. */
  readonly amount: bigint;
}

export interface CorrectionQueries {
  /** Of one sale, newest first. */
  correctionsOf(receipt_id: string): readonly Correction[];
  byReference(reference: string): Correction | null;
}

export interface CorrectionCommands {
  /**
   * Books the difference to what the books say: its own transfer, so that the sale and its receipt do not change. The
   * same reference again writes nothing.
   * @returns false when it was written before.
   * @throws NodeError not_found without such a receipt; invalid_parameter when the reference belongs to another
   * correction, when the books say so already, when it is more than was booked, or when what was bought can be used.
   */
  correct(correction: NewCorrection): Promise<boolean>;
}

export type Corrections = CorrectionCommands & Promised<CorrectionQueries>;

/** As either engine gives it. */
export interface StoredCorrection extends NewCorrection {
  readonly id: bigint;
  readonly amount: bigint;
}

export const toCorrection = ({ id, ...row }: StoredCorrection): Correction => ({
  ...row,
  at_ms: Number(id / 1000n),
});

const SELECT = "SELECT id, receipt_id, amount, received, reference, reason FROM corrections";

/** `$n` are numbered in both engines. */
export const CORRECTION_SQL = {
  of_receipt: `${SELECT} WHERE receipt_id = $1 ORDER BY id DESC`,
  by_reference: `${SELECT} WHERE reference = $1`,
} as const;

const refuse = (message: string): NodeError => new NodeError("invalid_parameter", message);

const REFUSALS = {
  impossible:
    "No less than nothing and no more than was booked can have come in for a sale. " +
    'What came besides is explained with "books explain".',
  missing_already: "The chain does not have this payment, and every figure says so already. Nothing was written.",
  so_already: "The books say so already. Nothing was written.",
} as const;

/** The part of a sale that a correction depends on, as an engine reads it. */
export interface CorrectedSale extends Omit<SaleState, "is_key_in_use"> {
  /** The key it bought; null for a call. */
  readonly key_id: string | null;
  readonly is_key_revoked: boolean;
  /** What is still on that key's balance. */
  readonly balance: bigint;
}

interface CorrectionState {
  /** Null when there is no such receipt. */
  readonly sale: CorrectedSale | null;
  /** The correction that already has this reference. */
  readonly known: Pick<Correction, "receipt_id" | "received"> | null;
}

/**
 * Decides a correction, and says why not.
 * @returns null when it was written before.
 * @throws NodeError as `correct` does.
 */
export function judgeCorrection(
  { receipt_id, received, reference }: NewCorrection,
  { sale, known }: CorrectionState,
): Corrected | null {
  if (sale === null) throw new NodeError("not_found", "No such receipt.");
  if (known !== null) {
    if (known.receipt_id === receipt_id && known.received === received) return null;
    throw refuse("This reference stands for another correction. Nothing was written.");
  }
  const { key_id, is_key_revoked, balance, ...state } = sale;
  const is_key_in_use = key_id !== null && (!is_key_revoked || balance > 0n);
  const decided = decideCorrection({ received, reference }, { ...state, is_key_in_use });
  if (decided.result === "key_in_use") {
    throw refuse(`This payment bought ${key_id}, which can still be used: "keys revoke" and "keys expire" first.`);
  }
  if (decided.result !== "corrected") throw refuse(REFUSALS[decided.result]);
  return decided;
}
