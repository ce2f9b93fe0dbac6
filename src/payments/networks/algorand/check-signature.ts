import { createPublicKey, verify } from "node:crypto";
import type { NetworkFamily } from "../../types.ts";
import { readAlgorandPayment } from "./read.ts";

/** What stands before the 32 bytes of an Ed25519 public key in its DER form (RFC 8410). */
const DER_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/**
 * Ed25519 over "TX" and the transaction. A multisig or a logic signature is left to the facilitator, which tries it on
 * the chain. An account that was rekeyed to another key is refused, as the reference facilitator does.
 */
export const checkAlgorandSignature: NetworkFamily["checkSignature"] = async ({ payload }) => {
  const { signature, bytes, sender } = readAlgorandPayment(payload).payment;
  if (signature.kind === "other") return "ask";
  if (signature.kind === "none" || signature.auth) return "no";
  try {
    const der = Buffer.concat([DER_PREFIX, Buffer.from(sender, "hex")]);
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    return verify(null, Buffer.concat([Buffer.from("TX"), bytes]), key, signature.bytes) ? "yes" : "no";
  } catch {
    // The payer's key is no point on the curve: nobody can have signed with it.
    return "no";
  }
};
