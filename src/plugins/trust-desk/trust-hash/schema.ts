import { type Static, Type } from "@sinclair/typebox";
import { closed, count, nullable, text } from "intel-node";

const hash = (description: string) => Type.String({ description, pattern: "^[0-9a-f]{64}$" });

export const TrustHashParams = Type.Object(
  {
    hash: Type.Optional(
      Type.String({
        pattern: "^[0-9a-f]{64}$",
        description: "Leaf hash of an answer: asks for its proof of inclusion.",
      }),
    ),
  },
  closed,
);

export const TrustHashSchema = Type.Object(
  {
    seq: Type.Integer({ minimum: 1, description: "Number of the seal, from 1." }),
    root: hash("Merkle root over the leaves."),
    record_hash: hash("SHA-256 of the seal's own record; the next seal names it."),
    prev_hash: hash("record_hash of the seal before, or the chain's beginning."),
    leaf_count: count("Leaves under the root."),
    sealed_at: text("When, ISO 8601 UTC."),
    leaves: Type.Array(
      Type.Object(
        { product: text("Path."), as_of: text("as_of of the answer."), leaf_hash: hash("SHA-256 of the leaf.") },
        closed,
      ),
      { description: "What was sealed, in the order of the tree." },
    ),
    algorithm: Type.Literal("sha-256", { description: "Hash." }),
    canonicalization: Type.Literal("RFC8785", { description: "How JSON becomes bytes." }),
    tree: Type.Literal("RFC6962", { description: "How leaves become a root." }),
    signed_text: text("What is signed."),
    signature: text("Ed25519 over signed_text, base64url."),
    public_key: text("The node's key, base64url."),
    proof: nullable(
      Type.Object(
        {
          leaf_index: count("Place of the leaf, from 0."),
          audit_path: Type.Array(hash("Hash beside the way up."), { description: "From the leaf to the root." }),
        },
        closed,
      ),
      "Proof that the asked hash is under the root",
      "when none was asked for",
    ),
    verify_steps: Type.Array(text("Step."), { description: "How to check it without this node." }),
  },
  closed,
);

export type TrustHashParams = Static<typeof TrustHashParams>;
export type TrustHashData = Static<typeof TrustHashSchema>;
