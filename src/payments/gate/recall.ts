import { NodeError } from "../../core/errors.ts";
import type { PaymentRow } from "../../ledger/payment-row.ts";
import type { ResolvedPayment } from "../reconcile.ts";
import { refuse } from "../refusal.ts";
import type { GateParts } from "./parts.ts";
import { refuseSettled } from "./settle-refusal.ts";
import type { GateOptions, PaidAnswer } from "./types.ts";

/** The answer while nobody knows whether money moved. The words matter: agents read them. */
export const settlementUnknown = (): NodeError =>
  new NodeError(
    "settlement_unknown",
    "The payment was sent to be settled and the outcome is not known yet. Do not sign a new payment: send the same " +
      "request with the same payment again and you get your answer, without paying twice.",
    { charge_unknown: true, retry_after_s: 5, details: { diagnostic: { same_payment: true, retryable: true } } },
  );

/** The same of a payment that can land no more: to send it again is of no use. */
const neverKnown = (): NodeError =>
  new NodeError(
    "settlement_unknown",
    "The payment was sent to be settled, its time is over, and nobody could say what became of it. It can be " +
      "taken no more: sign a new payment for this request, and it is settled.",
    { charge_unknown: true, retry_after_s: 5, details: { diagnostic: { same_payment: false, retryable: true } } },
  );

/** What is known of a payment whose outcome is open. */
const outcomeUnknown = ({ given_up }: ResolvedPayment): NodeError => (given_up ? neverKnown() : settlementUnknown());

export const alreadyUsed = (receipt_id: string | null) =>
  refuse(
    "payment_already_used",
    "payment_already_used",
    `This payment was spent on another request${receipt_id ? ` (receipt ${receipt_id})` : ""}: sign a new one.`,
  );

const alreadyTried = () =>
  refuse(
    "payment_already_used",
    "settlement_was_tried",
    "This payment was tried for another request, or without proof that it is yours. Nothing was charged: sign anew.",
  );

/** A settled row as the answer it paid for, or null when its bytes were pruned. */
export function answerOf(
  row: PaymentRow,
  from: NonNullable<PaidAnswer["from"]>,
  { revealStored }: Pick<GateOptions, "revealStored">,
): PaidAnswer | null {
  if (row.answer === null || row.receipt_id === null || row.chain_transaction === null) return null;
  const settlement = { transaction: row.chain_transaction, network: row.network, payer: row.payer };
  const { receipt_id, updated_at_ms: settled_at_ms } = row;
  const charge = row.authorized === null ? {} : { charge: row.amount };
  const answer = { body: row.answer, receipt_id, settlement, from, settled_at_ms, ...charge };
  return row.purchase !== null && revealStored ? { ...answer, reveal: () => revealStored(row) } : answer;
}

/** The answer as its receiver may have it: a secret goes only to who proved to be the buyer. */
export const showTo = async (answer: PaidAnswer, is_buyer: boolean): Promise<PaidAnswer> =>
  answer.reveal && is_buyer ? { ...answer, body: await answer.reveal() } : answer;

/** What the buyer's own money has bought elsewhere, for a payment of ours that came to nothing; null for all else. */
export function owedOf(row: PaymentRow, options: Pick<GateOptions, "findPassedOn" | "clock" | "replay_window_ms">) {
  if (row.state !== "settle_failed" || row.answer === null) return null;
  if (options.clock.now() - row.updated_at_ms >= options.replay_window_ms) return null;
  const passed_on = options.findPassedOn?.(row.product, row.answer) ?? null;
  return passed_on && { body: row.answer, passed_on };
}

/** Never asks for a new payment for what was paid elsewhere: a retry of the payment gets its outcome. */
function handOverOwed(options: GateParts, { row, is_buyer, is_copy, client }: Recall): void {
  const owed = owedOf(row, options);
  if (owed === null) return;
  if (!is_buyer && !is_copy) options.unproven.take({ id: row.id, settled_at_ms: row.updated_at_ms, client });
  throw refuseSettled({ reason: row.reason ?? "settle_failed", network: row.network, payer: row.payer }, owed);
}

interface Recall {
  readonly row: ResolvedPayment;
  readonly payload_hash: string;
  readonly fingerprint: string;
  /** Whether the sender knows what the first one knew. */
  readonly is_buyer: boolean;
  /** The address it came from. */
  readonly client: string;
  /** Whether it came while another node worked on the payment, and waited: it is a copy of that call, and no replay. */
  readonly is_copy: boolean;
}

/**
 * What an already known payment is worth now.
 * @returns the stored answer, or null when the payment may start over.
 * @throws PaymentRefusal payment_already_used; NodeError settlement_unknown or request_in_progress
 */
export function recall(options: GateParts, asked: Recall): PaidAnswer | null {
  const { row, payload_hash, fingerprint, is_buyer, client, is_copy } = asked;
  const same = row.payload_hash === payload_hash && row.fingerprint === fingerprint;
  switch (row.state) {
    case "rejected":
    case "abandoned":
      return null;
    case "settle_failed":
      // It may have been on its way to the chain, so anybody may know it by now: it buys what it was meant to buy, and
      // no secret for a stranger.
      if (!same || (row.purchase !== null && !is_buyer)) throw alreadyTried();
      handOverOwed(options, asked);
      return null;
    case "settled": {
      const fresh = options.clock.now() - row.updated_at_ms < options.replay_window_ms;
      const answer = same && fresh ? answerOf(row, "replay", options) : null;
      if (!answer) throw alreadyUsed(row.receipt_id);
      if (!is_buyer && !is_copy) options.unproven.take({ id: row.id, settled_at_ms: row.updated_at_ms, client });
      return answer;
    }
    case "unknown":
      if (!same) throw alreadyUsed(null);
      throw outcomeUnknown(row);
    default:
      throw new NodeError("request_in_progress", "This payment is being worked on.", { retry_after_s: 2 });
  }
}
