import type { SlotAttempt } from "../attempt.ts";
import { findEarlierAnswer } from "../earlier.ts";
import { giveUpFor } from "../give-up.ts";
import type { PlainStep } from "../step.ts";

export const earlierStep: PlainStep<SlotAttempt> = {
  id: "earlier",
  does: "look for an earlier payment under the same name or for the same request",
  ends: "the earlier answer, and this payment is not settled; 409, 503",
  async run(gate, attempt) {
    const answer = await findEarlierAnswer(gate, attempt);
    return answer === null ? undefined : giveUpFor(gate, attempt, answer);
  },
};
