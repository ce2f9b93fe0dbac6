import { messageOf, NodeError } from "../../../core/errors.ts";
import { withOwed } from "../../../core/passed-on.ts";
import { canonicalTransaction } from "../../../ledger/payment-moves.ts";
import type { SettleOutcome } from "../../facilitators/types.ts";
import type { SettledAttempt } from "../attempt.ts";
import type { GateParts } from "../parts.ts";
import { settlementUnknown } from "../recall.ts";
import { refuseSettled } from "../settle-refusal.ts";
import type { KnownAnswer, PlainStep } from "../step.ts";
import type { PaidAnswer } from "../types.ts";
import { workFor } from "../work-for.ts";

/** Of an amount as a facilitator says it. */
const AMOUNT_CHARS_MAX = 80;

/** The receipt is on disk before the buyer gets the answer, so no crash in between loses it. */
export const recordStep: PlainStep<SettledAttempt> = {
  id: "record",
  does: "one commit: settled, transfer or key, receipt; a chain transaction pays once",
  ends: "the answer; 402 refused, with the answer where the buyer paid somebody else for it (`passed_on`); 503 unknown",
  run: recordOutcome,
};

/** @throws PaymentRefusal settlement_failed; NodeError settlement_unknown or facilitator_unavailable */
async function recordOutcome(gate: GateParts, attempt: SettledAttempt): Promise<KnownAnswer> {
  const { ledger, lanes } = gate;
  const { id, payment, outcome, facilitator, produced, read } = attempt;
  const { network } = payment.requirement;
  const { payer } = read.signed;
  gate.log({ event: "settle", payment: id, network, facilitator, ...outcome });

  switch (outcome.kind) {
    case "settled": {
      await assertCharge(gate, attempt, outcome);
      const answer = await bookSettled(gate, attempt, outcome);
      lanes.notePaid(payer);
      gate.work.notePaid(workFor(attempt, gate));
      if (payment.checked === true) gate.proven.set(payer, true);
      return { answer };
    }
    case "refused": {
      // After the answer had been made.
      lanes.noteFailed(payer);
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

/**
 * What a facilitator says it took is no proof, but where it names another amount than it was told, the chain has the
 * word.
 * @throws NodeError settlement_unknown
 */
async function assertCharge(
  { ledger, alarm }: GateParts,
  { id, metered, facilitator, taking }: SettledAttempt,
  { amount, transaction }: Extract<SettleOutcome, { readonly kind: "settled" }>,
): Promise<void> {
  if (metered === null || amount === undefined || amount === metered.charge.toString()) return;
  const { network } = taking.requirement;
  const told = amount.slice(0, AMOUNT_CHARS_MAX);
  alarm({ event: "other_amount_taken", payment: id, network, facilitator, charge: metered.charge.toString(), told });
  await ledger.payments.markUnknown(id, `said to have taken ${told}`, { transaction, facilitator });
  throw settlementUnknown();
}

/** @throws NodeError settlement_unknown when the books did not take it */
async function bookSettled(
  gate: GateParts,
  { id, call, payment, facilitator, produced, metered, read }: SettledAttempt,
  outcome: Extract<SettleOutcome, { readonly kind: "settled" }>,
): Promise<PaidAnswer> {
  const { ledger, log } = gate;
  const { network } = payment.requirement;
  const { payer } = read.signed;
  const { body, purchase } = produced;
  const label = gate.labelOf(payer);
  const settled = { chain_transaction: outcome.transaction, label, delivered: !call.gone.aborted, facilitator };
  const booked = await ledger.payments.settle(id, settled).catch((error: unknown) => {
    // The money moved and our disk did not take it: the row stays in `settling`, and the chain proves it later.
    log({ event: "settled_but_not_booked", payment: id, network, error: messageOf(error) });
    throw settlementUnknown();
  });
  if (booked === null) {
    // What it named was booked for another payment: the facilitator is mistaken, or lies. The chain has the word.
    gate.alarm({ event: "transaction_named_twice", payment: id, network, facilitator, ...outcome });
    throw settlementUnknown();
  }
  const { receipt_id, settled_at_ms } = booked;
  const charged = metered === null ? {} : { charge: metered.charge, told: metered.headers };
  const chain_transaction = canonicalTransaction(outcome.transaction);
  const facts = { id: receipt_id, network, product: call.product.id, payer, chain_transaction };
  const sold = settled_at_ms === undefined ? {} : { sold: { ...facts, settled_at_ms } };
  const answer = {
    body,
    receipt_id,
    settlement: { transaction: outcome.transaction, network, payer },
    ...sold,
    ...charged,
  };
  return purchase ? { ...answer, reveal: async () => purchase.reveal(body) } : answer;
}

const unreachable = (): NodeError =>
  new NodeError("facilitator_unavailable", "No facilitator could be reached to settle. Nothing was charged.", {
    retry_after_s: 10,
  });
