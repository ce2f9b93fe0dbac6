import type { Clock } from "../core/clock.ts";
import type { NodeIdentity } from "../core/identity.ts";
import { createChallengeBinding } from "../payments/mpp/binding.ts";
import { createMppGuard, type MppGuard } from "../payments/mpp/guard.ts";
import { createMppIssuer, type MppIssuer } from "../payments/mpp/issue.ts";

export interface MppParts {
  readonly mpp: MppIssuer;
  readonly guardChallenge: MppGuard;
}

/** Challenges of MPP: every node with this key takes what another of them gave out. */
export function composeMPP(
  identity: Pick<NodeIdentity, "deriveSecret" | "earlierSecrets">,
  { public_url, clock }: { readonly public_url: string; readonly clock: Clock },
): MppParts {
  const secrets = [identity.deriveSecret("mpp challenges"), ...identity.earlierSecrets("mpp challenges")] as const;
  const binding = createChallengeBinding(secrets);
  return {
    mpp: createMppIssuer({ binding, clock, realm: new URL(public_url).host }),
    guardChallenge: createMppGuard(binding, clock),
  };
}
