import { createPrivateKey } from "node:crypto";
import { readIdentity } from "../../src/core/identity.ts";
import type { NodeSigner } from "../../src/records/record-chain.ts";
import { createNodeSigner } from "../../src/trust/node-signer.ts";

/** The secret key of RFC 8032, section 7.1, test 1. */
const SEED = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
/** What PKCS#8 writes before an Ed25519 seed (RFC 8410). */
const PKCS8_PREFIX = "302e020100300506032b657004220420";

/** Signs as a node whose key is the published one. */
export function createTestSigner(): NodeSigner {
  const key = Buffer.from(PKCS8_PREFIX + SEED, "hex");
  const pem = createPrivateKey({ key, format: "der", type: "pkcs8" }).export({ format: "pem", type: "pkcs8" });
  return createNodeSigner(readIdentity(pem.toString()));
}
