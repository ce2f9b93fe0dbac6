import { NodeError } from "../../core/errors.ts";
import type { PaymentRow } from "../../ledger/payments.ts";
import { refuse } from "../refusal.ts";
import type { PaidAnswer } from "./types.ts";

/** The answer while nobody knows whether money moved. The words matter: agents read them. */
export const settlementUnknown = (): NodeError =>
  new NodeError(
    "settlement_unknown",
    "The payment was sent to be settled and the outcome is not known yet. Do not sign a new payment: send the same " +
      "request with the same payment again and you get your answer, without paying twice.",
    { charge_unknown: true, retry_after_s: 5, details: { diagnostic: { same_payment: true, retryable: true } } },
  );

export const alreadyUsed = (receipt_id: string | null) =>
  refuse(
    "payment_already_used",
    "payment_already_used",
    `This payment was spent on another request${receipt_id ? ` (receipt ${receipt_id})` : ""}: sign a new one.`,
  );

/** A settled row as the answer it paid for, or null when its bytes were pruned. */
export function answerOf(row: PaymentRow, from: NonNullable<PaidAnswer["from"]>): PaidAnswer | null {
  if (row.answer === null || row.receipt_id === null || row.chain_transaction === null) return null;
  const settlement = { transaction: row.chain_transaction, network: row.network, payer: row.payer };
  return { body: row.answer, receipt_id: row.receipt_id, settlement, from };
}

interface Recall {
  readonly row: PaymentRow;
  readonly payload_hash: string;
  readonly fingerprint: string;
  readonly now_ms: number;
  readonly replay_window_ms: number;
}

/**
 * What an already known payment is worth now.
 * @returns the stored answer, or null when the payment may start over.
 * @throws PaymentRefusal payment_already_used; NodeError settlement_unknown or request_in_progress
 */
export function recall({ row, payload_hash, fingerprint, now_ms, replay_window_ms }: Recall): PaidAnswer | null {
  const same = row.payload_hash === payload_hash && row.fingerprint === fingerprint;
  switch (row.state) {
    case "rejected":
    case "abandoned":
    case "settle_failed":
      return null;
    case "settled": {
      const fresh = now_ms - row.updated_at_ms < replay_window_ms;
      const answer = same && fresh ? answerOf(row, "replay") : null;
      if (!answer) throw alreadyUsed(row.receipt_id);
      return answer;
    }
    case "unknown":
      if (!same) throw alreadyUsed(null);
      throw settlementUnknown();
    default:
      throw new NodeError("request_in_progress", "This payment is being worked on.", { retry_after_s: 2 });
  }
}
