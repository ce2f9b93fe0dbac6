import { NodeError } from "../../../core/errors.ts";
import type { Flight } from "../flights.ts";
import type { GateParts } from "../parts.ts";
import { UNSETTLED_MAX } from "../payer-lanes.ts";
import type { CheckedCall } from "../payment-call.ts";
import type { PlainStep } from "../step.ts";

export const openPaymentsStep: PlainStep<CheckedCall> = {
  id: "open-payments",
  does: "see that fewer than three payments of a known payer wait for their settlement",
  ends: "429",
  run: ({ ledger }, { flight, known }) => (known ? assertFewOpen(ledger, flight) : undefined),
};

/** What may still be taken from a wallet counts against it: it may be more than the wallet holds. */
async function assertFewOpen({ payments }: GateParts["ledger"], { payer, fingerprint }: Flight): Promise<undefined> {
  if ((await payments.countOpen(payer)) < UNSETTLED_MAX) return;
  // A retry of an open payment gets its current status.
  const earlier = await payments.findEarlier(payer, fingerprint, "");
  if (earlier?.state === "unknown") return;
  const message =
    "Three payments of this wallet wait for their settlement: send them again to learn of it. Nothing was charged.";
  throw new NodeError("rate_limited", message, { retry_after_s: 5 });
}
