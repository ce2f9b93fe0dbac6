import { createHmac, timingSafeEqual } from "node:crypto";
import { assertKeyBytes } from "../../core/secrets.ts";
import type { EchoedChallenge } from "../types.ts";

/** Two challenges must never have one id: what is signed for a challenge takes its nonce from it. */
const RANDOM_BYTES = 12;
const MAC_BYTES = 18;
const ID = /^[A-Za-z0-9_-]{40}$/;

/** Makes and checks ids of challenges: with the node's key, the id shows what it was issued for. */
export interface ChallengeBinding {
  /** A new id. `bound` is what the challenge pays for: a text that is not sent along. */
  readonly createId: (challenge: Omit<EchoedChallenge, "id">, bound: string) => string;
  /** Whether this node, or another with its key, gave this very challenge out for this. */
  readonly isOurs: (challenge: EchoedChallenge, bound: string) => boolean;
}

interface Bound {
  readonly random: Uint8Array;
  readonly challenge: Omit<EchoedChallenge, "id">;
  readonly bound: string;
}

/**
 * @param secrets the present one first, then those whose challenges are still out.
 * @throws RangeError when one of them is too short.
 */
export function createChallengeBinding(secrets: readonly [Uint8Array, ...Uint8Array[]]): ChallengeBinding {
  for (const one of secrets) assertKeyBytes(one, "challenges");
  /** Every part has its place, an absent one too, and no text can reach into the next. */
  const macOf = (secret: Uint8Array, { random, challenge, bound }: Bound): Uint8Array => {
    const { realm, method, intent, request, expires = null, digest = null, opaque = null, header = null } = challenge;
    const text = JSON.stringify([realm, method, intent, request, expires, digest, opaque, header, bound]);
    return createHmac("sha256", secret).update(random).update(text).digest().subarray(0, MAC_BYTES);
  };
  return {
    createId(challenge, bound) {
      const random = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
      return Buffer.concat([random, macOf(secrets[0], { random, challenge, bound })]).toString("base64url");
    },
    isOurs(challenge, bound) {
      if (!ID.test(challenge.id)) return false;
      const bytes = Buffer.from(challenge.id, "base64url");
      const random = bytes.subarray(0, RANDOM_BYTES);
      const given = bytes.subarray(RANDOM_BYTES);
      return secrets.some((secret) => timingSafeEqual(given, macOf(secret, { random, challenge, bound })));
    },
  };
}
