import { networkById, networkByV1Name } from "../networks/table.ts";
import { plainReason } from "../refusal.ts";
import type { PaymentToSettle, SettleOutcome } from "./types.ts";

/** What a facilitator says of a settlement, ours in process included. */
export interface SettlementWords {
  readonly success: boolean;
  readonly transaction: string;
  readonly network: string;
  readonly reason: string | undefined;
  readonly message?: string | undefined;
}

/** Reasons that leave the outcome open: the facilitator broadcast, or failed before it knew. */
const OPEN_REASONS = new Set(["settlement_pending", "unexpected_settle_error"]);
/**
 * "Already used" may mean that our own first settle worked, and these others come after a broadcast, so the chain has
 * the word. The Algorand scheme says "settlement_failed" also when the group is in the ledger already, the Solana
 * and the EVM scheme "transaction_failed" also when the answer to a broadcast got lost.
 */
const MAYBE_OURS = new RegExp(
  "nonce_already_used|duplicate_settlement|already_in_ledger|confirmation_(timed_out|failed)|not_confirmed" +
    "|block_height_exceeded|transfer_event_mismatch|avm_(settlement|simulation)_failed" +
    "|(svm|evm)_transaction_failed|batch_settlement_evm_\\w*(transaction_failed|wait_for_receipt_failed)",
);
const DETAIL_CHARS_MAX = 300;

/** For the log only: one line, no control characters. */
export const detailOf = (text: string | undefined): { detail?: string } =>
  text === undefined || text === "" ? {} : { detail: text.replace(/[^ -~]+/g, " ").slice(0, DETAIL_CHARS_MAX) };

/** Whether a facilitator means the network a payment is on: by its id in any spelling, or its version 1 name. */
const isSameNetwork = (said: string, id: string): boolean =>
  (networkById(said) ?? networkByV1Name(said))?.id === networkById(id)?.id;

/**
 * A settlement's words as an outcome. Booked as settled is only what names a transaction that can be one, on the
 * payment's own network: anything else is for the chain to tell.
 */
export function readSettlement(said: SettlementWords, { requirement }: PaymentToSettle): SettleOutcome {
  const { success, transaction } = said;
  const network = networkById(requirement.network);
  const reason = plainReason(said.reason ?? "refused");
  const named = network?.transaction_pattern.test(transaction) ?? false;
  const known = { ...detailOf(said.message), ...(named ? { transaction } : {}) };
  if (!isSameNetwork(said.network, requirement.network)) {
    return { kind: "unknown", cause: "the answer is about another network", ...detailOf(said.message) };
  }
  if (transaction !== "" && !named) return { kind: "unknown", cause: "what it names is no transaction", ...known };
  if (success) {
    return named ? { kind: "settled", transaction } : { kind: "unknown", cause: "success without a transaction" };
  }
  // A refusal that names a transaction was broadcast first: whether it failed, the chain says.
  if (named || OPEN_REASONS.has(reason) || MAYBE_OURS.test(reason)) return { kind: "unknown", cause: reason, ...known };
  return { kind: "refused", reason, transaction, ...detailOf(said.message) };
}
