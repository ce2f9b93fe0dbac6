import { waitForOlder } from "../earlier.ts";
import type { CheckedCall } from "../payment-call.ts";
import type { PlainStep } from "../step.ts";

export const olderStep: PlainStep<CheckedCall> = {
  id: "older",
  does: "wait for older payments of the same payer for the same request",
  ends: "no call ends here",
  run: (gate, context) => waitForOlder(gate, gate.flights, context),
};
