import type { PaymentCall } from "../payment-call.ts";
import type { PlainStep } from "../step.ts";
import { workFor } from "../work-for.ts";

export const workLeftStep: PlainStep<PaymentCall> = {
  id: "work-left",
  does: "see that not too much was worked for this payer, or this sender, in vain",
  ends: "429",
  run(gate, context) {
    gate.work.assertLeft(workFor(context, gate));
    return undefined;
  },
};
