import type { PaymentAttempt } from "./attempt.ts";
import type { GateParts } from "./parts.ts";
import type { KnownAnswer } from "./step.ts";
import type { PaidAnswer } from "./types.ts";

/** An earlier payment paid for the call, so this one is not needed: nothing of it is ever settled. */
export function giveUpFor(
  { ledger }: Pick<GateParts, "ledger">,
  { id, read }: PaymentAttempt,
  answer: PaidAnswer,
): KnownAnswer {
  const reason = "answered from an earlier payment";
  void ledger.payments.drop(id, read.signed.replay_key, { state: "abandoned", reason });
  return { answer };
}
