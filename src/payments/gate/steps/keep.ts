import { nameDoor } from "../../../calls/door.ts";
import type { ChargedAttempt } from "../attempt.ts";
import type { PlainStep } from "../step.ts";

/** The answer is on disk before a facilitator is asked for the money, so no crash in between loses it. */
export const keepStep: PlainStep<ChargedAttempt> = {
  id: "keep",
  does: "store the answer without secrets, the charge, the buyer's names and the purchase; state `settling`, durable",
  ends: "503, nothing charged",
  async run({ ledger, verified }, { id, call, flight, read, payment, produced, metered, facilitator }) {
    verified.forget({ signed: read.signed, requirement: payment.requirement });
    const { body, purchase } = produced;
    const door = nameDoor(call, read.incoming.challenge !== undefined);
    const charge = metered?.charge;
    await ledger.payments.keepAnswer(id, body, {
      ...flight.names,
      purchase: purchase?.json,
      facilitator,
      door,
      charge,
    });
    return undefined;
  },
};
