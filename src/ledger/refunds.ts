import { NodeError } from "../core/errors.ts";
import type { ResultOf } from "./decide/results.ts";
import type { SaleRefund } from "./decide/sale-refunds.ts";
import type { Promised } from "./promised.ts";

export interface NewRefund extends SaleRefund {
  readonly reason: string;
}

export interface Refund {
  /** The transfer's: ledger time, microseconds. */
  readonly id: number;
  readonly at_ms: number;
  readonly receipt_id: string;
  readonly amount: bigint;
  readonly reference: string;
  readonly reason: string;
}

export interface RefundQueries {
  /** Of one sale, newest first. */
  refundsOf(receipt_id: string): readonly Refund[];
  byReference(reference: string): Refund | null;
}

export interface RefundCommands {
  /**
   * Books what was sent back: its own transfer, from revenue to the network, so that the sale and its receipt do not
   * change. The same reference again writes nothing.
   * @returns false when it was written before.
   * @throws NodeError not_found without such a receipt; invalid_parameter when the reference belongs to another refund,
   * when the payment never landed, when what it bought can still be used, or when it is more than is left.
   */
  giveBack(refund: NewRefund): Promise<boolean>;
}

export type Refunds = RefundCommands & Promised<RefundQueries>;

/** As either engine gives it. */
export interface StoredRefund {
  readonly id: bigint;
  readonly receipt_id: string;
  readonly amount: bigint;
  readonly reference: string;
  readonly reason: string;
}

export const toRefund = ({ id, ...row }: StoredRefund): Refund => ({
  ...row,
  id: Number(id),
  at_ms: Math.floor(Number(id) / 1000),
});

const SELECT = "SELECT id, receipt_id, amount, reference, reason FROM given_back";

/** `$n` are numbered in both engines. */
export const REFUND_SQL = {
  of_receipt: `${SELECT} WHERE receipt_id = $1 ORDER BY id DESC`,
  by_reference: `${SELECT} WHERE reference = $1`,
} as const;

/** What a refund came to. */
export interface RefundOutcome {
  readonly result: ResultOf<"sale_refund">;
  /** The key that the sale bought; null for a call. */
  readonly key_id: string | null;
}

/**
 * The result for the caller.
 * @returns whether it was written now.
 * @throws NodeError when it cannot be written.
 */
export function readRefundOutcome({ result, key_id }: RefundOutcome): boolean {
  switch (result) {
    case "given_back":
      return true;
    case "given_back_before":
      return false;
    case "no_sale":
      throw new NodeError("not_found", "No such receipt.");
    case "reference_taken":
      throw refuse("This reference stands for another refund. Nothing was written.");
    case "never_landed":
      throw refuse("This payment never landed: nothing came in that could be given back.");
    case "key_in_use":
      throw refuse(`This payment bought ${key_id}, which can still be used: "keys revoke" and "keys expire" first.`);
    case "more_than_left":
      throw refuse("More than was paid, less what was given back, cannot be given back.");
  }
}

const refuse = (message: string): NodeError => new NodeError("invalid_parameter", message);
