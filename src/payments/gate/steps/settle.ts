import type { ChargedAttempt, SettledAttempt } from "../attempt.ts";
import type { GateParts } from "../parts.ts";
import type { PlainStep } from "../step.ts";

/** What came of it, and who was asked last. */
type Settlement = Pick<SettledAttempt, "outcome" | "facilitator">;

export const settleStep: PlainStep<ChargedAttempt, Settlement> = {
  id: "settle",
  does: "let the facilitator that verified settle",
  ends: "no call ends here",
  run: settleOnceMore,
};

/**
 * A broadcast that is not confirmed yet (`settlement_pending`) is posted once more to the same facilitator: it then
 * confirms instead of sending again. Nothing else is ever repeated.
 */
async function settleOnceMore(
  { pool }: Pick<GateParts, "pool">,
  { facilitator, taking }: ChargedAttempt,
): Promise<Settlement> {
  const first = await pool.settle(facilitator, taking);
  const pending = first.outcome.kind === "unknown" && first.outcome.cause === "settlement_pending";
  if (!pending) return first;
  const again = await pool.settle(first.facilitator, taking);
  // It was broadcast: whatever the second word is but success, the chain has the last one.
  return again.outcome.kind === "settled" ? again : first;
}
