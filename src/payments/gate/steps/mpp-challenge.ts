import type { FlightCall } from "../payment-call.ts";
import type { PlainStep } from "../step.ts";

export const mppChallengeStep: PlainStep<FlightCall> = {
  id: "mpp-challenge",
  does: "hold a payment by MPP to the challenge it answers",
  ends: "402",
  run({ guardChallenge }, { read, call }) {
    const { asked_for = call.fingerprint, digest = null } = call;
    guardChallenge?.(read.incoming, { fingerprint: asked_for, digest });
    return undefined;
  },
};
