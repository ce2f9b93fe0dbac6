import type { CatalogProduct } from "../../catalog/catalog.ts";
import { messageOf, NodeError } from "../../core/errors.ts";
import { withOwed } from "../../core/passed-on.ts";
import { canonicalTransaction } from "../../ledger/payment-moves.ts";
import type { PaymentToSettle, SettleOutcome } from "../facilitators/types.ts";
import type { BuyerNames } from "./buyer-names.ts";
import { settlementUnknown } from "./recall.ts";
import { refuseSettled } from "./settle-refusal.ts";
import type { GateOptions, PaidAnswer, ProducedAnswer } from "./types.ts";

export interface ToSettle {
  readonly id: string;
  readonly facilitator: string;
  readonly payment: PaymentToSettle;
  readonly payer: string;
  readonly product: Pick<CatalogProduct, "id">;
  readonly produced: ProducedAnswer;
  readonly names: BuyerNames;
  readonly gone: AbortSignal;
  /** The facilitator refused, after the answer had been made. */
  readonly onRefused: () => void;
}

/**
 * Takes the money for an answer that exists. The answer is on disk before the facilitator is asked, and the receipt
 * before the buyer hears of it, so no crash in between loses either.
 * @throws PaymentRefusal settlement_failed; NodeError settlement_unknown or facilitator_unavailable
 */
export async function settlePayment(options: GateOptions, work: ToSettle): Promise<PaidAnswer> {
  const { ledger, log } = options;
  const { id, payment, payer, names, produced } = work;
  const { body, purchase } = produced;
  const { network } = payment.requirement;
  await ledger.payments.keepAnswer(id, body, { ...names, purchase: purchase?.json, facilitator: work.facilitator });
  const { outcome, facilitator } = await settleOnceMore(options, work);
  log({ event: "settle", payment: id, network, facilitator, ...outcome });

  switch (outcome.kind) {
    case "settled": {
      const label = options.labelOf(payer);
      const settled = { chain_transaction: outcome.transaction, label, delivered: !work.gone.aborted, facilitator };
      const booked = await ledger.payments.settle(id, settled).catch((error: unknown) => {
        // The money moved and our disk did not take it: the row stays in `settling`, and the chain proves it later.
        log({ event: "settled_but_not_booked", payment: id, network, error: messageOf(error) });
        throw settlementUnknown();
      });
      if (booked === null) {
        // What it named was booked for another payment: the facilitator is mistaken, or lies. The chain has the word.
        options.alarm({ event: "transaction_named_twice", payment: id, network, facilitator, ...outcome });
        throw settlementUnknown();
      }
      const { receipt_id, settled_at_ms } = booked;
      const chain_transaction = canonicalTransaction(outcome.transaction);
      const facts = { id: receipt_id, network, product: work.product.id, payer, chain_transaction };
      const sold = settled_at_ms === undefined ? {} : { sold: { ...facts, settled_at_ms } };
      const answer = { body, receipt_id, settlement: { transaction: outcome.transaction, network, payer }, ...sold };
      return purchase ? { ...answer, reveal: async () => purchase.reveal(body) } : answer;
    }
    case "refused": {
      work.onRefused();
      await ledger.payments.end(id, "settle_failed", outcome.reason);
      throw refuseSettled({ reason: outcome.reason, network, payer }, produced);
    }
    case "unseen":
      await ledger.payments.end(id, "settle_failed", `no facilitator reached: ${outcome.cause}`);
      throw withOwed(unreachable(), produced);
    case "unknown":
      await ledger.payments.markUnknown(id, outcome.cause, { transaction: outcome.transaction, facilitator });
      throw settlementUnknown();
    default:
      return outcome satisfies never;
  }
}

const unreachable = (): NodeError =>
  new NodeError("facilitator_unavailable", "No facilitator could be reached to settle. Nothing was charged.", {
    retry_after_s: 10,
  });

/**
 * A broadcast that is not confirmed yet (`settlement_pending`) is posted once more to the same facilitator: it then
 * confirms instead of sending again. Nothing else is ever repeated.
 */
async function settleOnceMore(
  { pool }: GateOptions,
  { facilitator, payment }: ToSettle,
): Promise<{ outcome: SettleOutcome; facilitator: string }> {
  const first = await pool.settle(facilitator, payment);
  const pending = first.outcome.kind === "unknown" && first.outcome.cause === "settlement_pending";
  if (!pending) return first;
  const again = await pool.settle(first.facilitator, payment);
  // It was broadcast: whatever the second word is but success, the chain has the last one.
  return again.outcome.kind === "settled" ? again : first;
}
