import type { Requirement } from "../../types.ts";
import type { FlightCall } from "../payment-call.ts";
import { checkPayment } from "../read-payment.ts";
import type { PlainStep } from "../step.ts";

export const matchStep: PlainStep<FlightCall, { readonly requirement: Requirement }> = {
  id: "match",
  does: "match our requirement: recipient, amount, times",
  ends: "402, or 503 for a network that cannot be settled now; no row, no call",
  run: ({ pool, clock }, { read, call: { product } }) => ({
    requirement: checkPayment(read, { product, pool, now_ms: clock.now() }),
  }),
};
