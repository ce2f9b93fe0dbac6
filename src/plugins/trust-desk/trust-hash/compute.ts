import { type Computed, canonicalJSON, createMerkleTree, getSignedText } from "intel-node";
import { SIGNED_SEAL } from "../seals/seal-records.ts";
import type { TrustHashInputs } from "./fetch.ts";
import type { TrustHashData, TrustHashParams } from "./schema.ts";

const VERIFY_STEPS = [
  "item = canonical JSON (RFC 8785) of {as_of, data, product} of the answer you hold",
  "leaf_hash = SHA-256(0x00 || item); it must stand in leaves",
  "root = RFC 6962 tree over the leaf hashes in order, SHA-256(0x01 || left || right); or climb the audit_path",
  "verify the Ed25519 signature over signed_text with public_key, which /.well-known/verify-manifest lists too",
  "the next seal's prev_hash must be this record_hash: nobody can slip a seal in or out later",
];

/** A seal with what is needed to check it, and the proof of one leaf. */
export function computeTrustHash(
  { seal, public_key }: TrustHashInputs,
  { hash }: TrustHashParams,
): Computed<TrustHashData> {
  const { leaves, root, leaf_count, sealed_at } = seal;
  const tree = createMerkleTree(leaves.map(({ leaf_hash }) => leaf_hash));
  const leaf_index = leaves.findIndex(({ leaf_hash }) => leaf_hash === hash);
  return {
    as_of_ms: Date.parse(sealed_at),
    data: {
      seq: seal.seq,
      root,
      record_hash: seal.record_hash,
      prev_hash: seal.prev_hash,
      leaf_count,
      sealed_at,
      leaves: leaves.map(({ product, as_of, leaf_hash }) => ({ product, as_of, leaf_hash })),
      algorithm: "sha-256",
      canonicalization: "RFC8785",
      tree: "RFC6962",
      signed_text: getSignedText(SIGNED_SEAL, canonicalJSON({ leaf_count, root, sealed_at })),
      signature: seal.signature,
      public_key,
      proof: leaf_index < 0 ? null : { leaf_index, audit_path: [...tree.inclusionProof(leaf_index)] },
      verify_steps: VERIFY_STEPS,
    },
    warnings: leaf_index < 0 ? ["proof: no hash was asked for"] : [],
  };
}
