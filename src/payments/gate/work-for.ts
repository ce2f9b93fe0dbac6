import { targetOf, type WorkFor } from "../../calls/work-budget.ts";
import type { PaymentCall } from "./payment-call.ts";
import type { GateOptions } from "./types.ts";

/** For whom work is done: the payer, and the sender of his payment. */
export const workFor = ({ read, call }: PaymentCall, { limitOf }: Pick<GateOptions, "limitOf">): WorkFor => ({
  holder: read.signed.payer,
  network: limitOf(call.client),
  target: targetOf(call),
});
