import { assertInvariant } from "../../../core/errors.ts";
import { meter } from "../../../core/metering.ts";
import { UPTO } from "../../upto/contract.ts";
import type { ChargedAttempt, PayableAttempt } from "../attempt.ts";
import type { PlainStep } from "../step.ts";

/** What is to be taken. From the next step on it is written down, and no other amount is ever asked for. */
export const chargeStep: PlainStep<PayableAttempt, Pick<ChargedAttempt, "metered" | "taking">> = {
  id: "charge",
  does: "compute what the answer costs, where the payer signed for at most an amount; else the price",
  ends: "no call ends here",
  run(_gate, { call, payment, produced }) {
    const { requirement } = payment;
    const metered = requirement.scheme === UPTO ? meter(call.product, produced.counted) : null;
    if (metered === null) return { metered, taking: payment };
    const { charge } = metered;
    assertInvariant(charge > 0n && charge <= BigInt(requirement.amount), "no more is charged than was signed");
    const taking = { ...payment, requirement: { ...requirement, amount: charge.toString() }, signed_for: requirement };
    return { metered, taking };
  },
};
