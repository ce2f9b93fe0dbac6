import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { NetworkFamily } from "../../types.ts";
import { readSolanaPayment } from "./read.ts";

/** What stands before the 32 bytes of an Ed25519 public key in its DER form (RFC 8410). */
const DER_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

const publicKey = (key: string): KeyObject =>
  createPublicKey({ key: Buffer.concat([DER_PREFIX, Buffer.from(key, "hex")]), format: "der", type: "spki" });

/** Ed25519 over the message. Payers are always keys, never contracts, so there is nothing to ask anybody. */
export const checkSolanaSignature: NetworkFamily["checkSignature"] = async ({ payload }) => {
  const { transaction, payer, payer_signature } = readSolanaPayment(payload);
  try {
    return verify(null, transaction.message, publicKey(payer), payer_signature) ? "yes" : "no";
  } catch {
    // The payer's key is no point on the curve: nobody can have signed with it.
    return "no";
  }
};
