import { createPublicKey, verify } from "node:crypto";
import { getSignedText } from "./record-chain.ts";

export interface SignedText {
  readonly kind: string;
  readonly text: string;
  /** base64url. */
  readonly signature: string;
  /** Raw Ed25519 key, base64url. */
  readonly public_key: string;
}

// The last letter holds bits that mean nothing: with them set, one key or signature would have several texts.
const KEY = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
const SIGNATURE = /^[A-Za-z0-9_-]{85}[AQgw]$/;

/** Whether a node's key signed a text of a kind. Every value is safe to ask about. */
export function isSignedText({ kind, text, signature, public_key }: SignedText): boolean {
  if (!KEY.test(public_key) || !SIGNATURE.test(signature)) return false;
  try {
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: public_key }, format: "jwk" });
    return verify(null, Buffer.from(getSignedText(kind, text), "utf8"), key, Buffer.from(signature, "base64url"));
  } catch (error) {
    // Not every 32 bytes are a point of the curve.
    if (error instanceof Error) return false;
    throw error;
  }
}
