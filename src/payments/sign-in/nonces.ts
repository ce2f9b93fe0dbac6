import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { assertKeyBytes } from "../../core/secrets.ts";

const RANDOM_BYTES = 8;
const MAC_BYTES = 8;
const FORM = /^[0-9a-f]{32}$/;

/** Nonces that say by themselves when this node made them: nothing is stored before one comes back signed. */
export interface Nonces {
  /** 32 hex characters, good with this time alone. */
  make(issued_at: string): string;
  /** Whether this node, or one that shares its key, made it with this time. */
  isOurs(nonce: string, issued_at: string): boolean;
}

/**
 * @param secret bytes only this node knows.
 * @throws RangeError when they are too few.
 */
export function createNonces(secret: Uint8Array): Nonces {
  assertKeyBytes(secret, "nonces");
  const macOf = (random: Uint8Array, issued_at: string): Buffer =>
    createHmac("sha256", secret).update(`nonce\n${issued_at}\n`).update(random).digest().subarray(0, MAC_BYTES);
  return {
    make(issued_at) {
      const random = randomBytes(RANDOM_BYTES);
      return Buffer.concat([random, macOf(random, issued_at)]).toString("hex");
    },
    isOurs(nonce, issued_at) {
      if (!FORM.test(nonce)) return false;
      const bytes = Buffer.from(nonce, "hex");
      return timingSafeEqual(bytes.subarray(RANDOM_BYTES), macOf(bytes.subarray(0, RANDOM_BYTES), issued_at));
    },
  };
}
