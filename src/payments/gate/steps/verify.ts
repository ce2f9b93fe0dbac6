import { NodeError } from "../../../core/errors.ts";
import type { FacilitatorWord, PaymentAttempt, SlotAttempt } from "../attempt.ts";
import { findUndelivered } from "../earlier.ts";
import { giveUpFor } from "../give-up.ts";
import type { GateParts } from "../parts.ts";
import type { KnownAnswer, PlainStep } from "../step.ts";
import { mayBeEmptyWallet, toRefusal } from "../verify-refusal.ts";
import { workFor } from "../work-for.ts";

interface Verified {
  readonly facilitator: string;
}

export const verifyStep: PlainStep<SlotAttempt, Verified> = {
  id: "verify",
  does: "let a facilitator verify the payment, unless one took it just now",
  ends: "402, 429, 503; what an emptied wallet had paid for and never got",
  run(gate, attempt) {
    // Calls that waited together learn what the first of them used up.
    gate.work.assertLeft(workFor(attempt, gate));
    const { word } = attempt;
    if (word !== null) return heed(gate, attempt, word);
    return askFacilitator(gate, attempt).then((told) => heed(gate, attempt, told));
  },
};

function heed(gate: GateParts, attempt: PaymentAttempt, word: FacilitatorWord): Verified | KnownAnswer {
  if ("answer" in word) return giveUpFor(gate, attempt, word.answer);
  attempt.onVerified();
  return word;
}

/**
 * Asks a facilitator. What an empty wallet has paid for before is handed over all the same.
 * @throws PaymentRefusal; NodeError facilitator_unavailable
 */
export async function askFacilitator(gate: GateParts, attempt: PaymentAttempt): Promise<FacilitatorWord> {
  const { verified, pool, proven } = gate;
  const { payment, read, call } = attempt;
  const asked = { signed: read.signed, requirement: payment.requirement };
  const known = verified.find(asked);
  if (known !== null) return { facilitator: known };
  const { outcome, facilitator } = await pool.verify(payment.requirement.network, payment);
  if (outcome.kind === "valid" && facilitator !== null) {
    verified.note(asked, facilitator);
    return { facilitator };
  }
  proven.delete(read.signed.payer);
  if (outcome.kind !== "invalid") {
    const answered = outcome.kind === "unavailable" && outcome.answered === true;
    // What a stranger signed may have tripped it, or kept it busy: he pays for that as for a refusal.
    if (answered || payment.checked !== true) {
      gate.countRefused(call.client);
      gate.faults.countUnjudged(call.client, read.signed.payload_hash);
    }
    throw new NodeError("facilitator_unavailable", "No facilitator could check the payment. Nothing was charged.", {
      cause: outcome.kind === "unavailable" ? outcome.cause : undefined,
      retry_after_s: 5,
    });
  }
  gate.log({ event: "verify_refused", facilitator, reason: outcome.reason });
  if (mayBeEmptyWallet(outcome.reason) && (await gate.isSigned(read, call.client)) === "yes") {
    const answer = await findUndelivered(gate, attempt);
    if (answer) return { answer };
  }
  throw toRefusal(outcome.reason);
}
