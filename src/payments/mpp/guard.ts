import type { Clock } from "../../core/clock.ts";
import { refuse } from "../refusal.ts";
import type { IncomingPayment } from "../types.ts";
import type { ChallengeBinding } from "./binding.ts";
import { findMppMethod } from "./methods/table.ts";

/** What a challenge is held to. */
export interface GuardedCall {
  readonly fingerprint: string;
  /** Of the body it came with; null without a body, or for a door without digests. */
  readonly digest: string | null;
}

/**
 * Holds a payment by MPP to the challenge it answers: ours, not over, for this very call, and signed for it. Does
 * nothing for any other payment.
 * @throws PaymentRefusal
 */
export type MppGuard = (incoming: IncomingPayment, call: GuardedCall) => void;

export function createMppGuard(binding: ChallengeBinding, clock: Pick<Clock, "now">): MppGuard {
  return ({ challenge, payload }, { fingerprint, digest }) => {
    if (challenge === undefined) return;
    if (!binding.isOurs(challenge, fingerprint)) {
      const hint =
        "This challenge was not given out here, or for another request: answer the one that comes with this.";
      throw refuse("invalid_payment", "invalid_challenge", hint);
    }
    if (challenge.digest !== undefined && challenge.digest !== digest) {
      throw refuse("invalid_payment", "digest_mismatch", "The body is not the one the challenge was given out for.");
    }
    const expires_ms = Date.parse(challenge.expires ?? "");
    if (!(clock.now() < expires_ms)) {
      throw refuse(
        "payment_expired",
        "challenge_expired",
        "The challenge is over: answer the one that comes with this.",
      );
    }
    findMppMethod(challenge.method, challenge.intent)?.assertBound(challenge, payload);
  };
}
