import { costOf, isUnpaidWork } from "../../../calls/work-budget.ts";
import type { PaymentRow } from "../../../ledger/payment-row.ts";
import type { PaymentAttempt } from "../attempt.ts";
import { readBuyerNames } from "../buyer-names.ts";
import { isRepeat } from "../earlier.ts";
import { isInFlight } from "../elsewhere.ts";
import type { GateParts } from "../parts.ts";
import type { ReleaseLane } from "../payer-lanes.ts";
import type { CheckedCall, PaymentCall } from "../payment-call.ts";
import { renderForSettlement } from "../read-payment.ts";
import { recallRow } from "../recall-row.ts";
import type { AroundStep } from "../step.ts";
import { assertTimeLeft } from "../time-left.ts";
import type { PaidAnswer } from "../types.ts";
import { workFor } from "../work-for.ts";

/** Counts what was worked for in vain, whichever step behind it the call ends at. */
export const takeInStep: AroundStep<CheckedCall, PaymentAttempt> = {
  id: "take-in",
  does: "take the payment in: one row per replay key",
  ends: "402 `payment_already_used`; the stored answer or 409, where another node was first",
  async around(gate, context, next) {
    const { read, call, flight, requirement, known } = context;
    const { payload, text } = renderForSettlement(read, known);
    assertTimeLeft(gate, read);
    const begun = await gate.ledger.payments.begin(rowOf(context, text), { may_repeat: isRepeat(gate, flight) });
    if (!begun.started) {
      const kept = await recallBegun(gate, context, begun.payment);
      // What another node gave up uncharged starts over here, until its time is up.
      return kept ?? takeInStep.around(gate, context, next);
    }
    const { id, older = [], mayHaveEarlier } = begun;
    const { fee_payer, payer } = read.signed;
    const { resource, extensions } = gate.describe(call.product);
    const payment = { payload, requirement, resource, extensions, fee_payer, payer, checked: known };
    let release: ReleaseLane = () => undefined;
    let verified_ms: number | null = null;
    let passed_over: string | null = null;
    const onPassedOver = (payment_id: string) => {
      passed_over = payment_id;
      gate.log({ event: "payment_passed_over", payment: payment_id, by: id, network: requirement.network });
    };
    const onVerified = () => {
      verified_ms = performance.now();
      if (!known) release = gate.lanes.confirm(flight.payer);
    };
    try {
      const answer = await next({ id, payment, older, mayHaveEarlier, call, flight, read, onVerified, onPassedOver });
      return passed_over === null ? answer : { ...answer, passed_over };
    } catch (error) {
      if (verified_ms !== null) noteUnpaid(gate, context, { error, took_ms: performance.now() - verified_ms });
      throw error;
    } finally {
      release();
    }
  },
};

/** @param payload as the ledger keeps it. */
const rowOf = ({ read: { signed }, call, requirement }: CheckedCall, payload: string) => ({
  replay_key: signed.replay_key,
  payload_hash: signed.payload_hash,
  fingerprint: call.fingerprint,
  product: call.product.id,
  network: requirement.network,
  asset: requirement.asset,
  payer: signed.payer,
  pay_to: requirement.payTo,
  amount: BigInt(requirement.amount),
  valid_until_ms: signed.valid_until_ms,
  payload,
});

/**
 * Somebody took this payment in since it was looked up.
 * @returns its answer; null when it ended uncharged, and may start over.
 */
async function recallBegun(gate: GateParts, context: PaymentCall, begun: PaymentRow): Promise<PaidAnswer | null> {
  const { call, read } = context;
  const { payload_hash, payer } = read.signed;
  const is_copy = isInFlight(begun);
  const row = begun.payload_hash === payload_hash ? await gate.elsewhere.wait(begun) : begun;
  const names = readBuyerNames(call.headers, read.incoming, payer);
  return recallRow(gate, context, { row, names, is_copy });
}

interface UnpaidWork {
  readonly error: unknown;
  readonly took_ms: number;
}

/** Until it was verified nothing was worked for, and what is refused then is counted elsewhere. */
function noteUnpaid(gate: GateParts, context: PaymentCall, { error, took_ms }: UnpaidWork): void {
  if (!isUnpaidWork(error)) return;
  gate.work.spend(workFor(context, gate), { took_ms, ...costOf(context.call) });
}
