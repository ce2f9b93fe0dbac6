import { type Static, Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { canonicalJSON } from "../core/hash.ts";
import { nodeIdOf } from "../core/identity.ts";
import { hashMerkleLeaf, verifyInclusion } from "../records/merkle-tree.ts";
import { hashRecord, type RecordBody } from "../records/record-chain.ts";
import { isSignedText } from "../records/signed-text.ts";
import { SIGNED_RECEIPT_SEAL, statementOf } from "./receipt-seals.ts";

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Text = Type.String({ maxLength: 400 });
const Count = Type.Integer({ minimum: 0 });
/** `proof` of /receipts/<id>/seal. */
const Proof = Type.Object({
  item: Type.Object(
    {
      node_id: Text,
      product: Text,
      receipt_id: Text,
      request_sha256: Hash,
      response_sha256: Hash,
      settled_at: Text,
    },
    { additionalProperties: false },
  ),
  leaf_hash: Hash,
  leaf_index: Count,
  audit_path: Type.Array(Hash, { maxItems: 64 }),
  record: Type.Object({
    seq: Type.Integer({ minimum: 1 }),
    prev_hash: Hash,
    node_id: Text,
    root: Hash,
    sealed_at: Text,
    after_receipt: Count,
    last_receipt: Count,
    leaf_count: Count,
  }),
  record_hash: Hash,
  signed_text: Type.String({ maxLength: 20_000 }),
  signature: Text,
  public_key: Text,
});
const checkForm = compileSchema(Proof);
export type CheckedSeal = Static<typeof Proof>;

/**
 * Checks that a node sealed an answer: that the answer's item is under the seal's root, and that the node signed the
 * seal. Any value is safe to check.
 * @param isKeyOf whether a raw Ed25519 key (base64url) is, or was, the node's.
 * @returns the proof, or the reason why it is invalid
 */
export function checkSeal(given: unknown, isKeyOf: (public_key: string) => boolean): CheckedSeal | string {
  if (!checkForm.Check(given)) {
    const fault = checkForm.Errors(given).First();
    return `it is no proof of a seal: ${fault?.path || "it"}: ${fault?.message}`;
  }
  const { item, leaf_hash, leaf_index, audit_path, record, record_hash, signed_text, signature, public_key } = given;
  if (hashMerkleLeaf(canonicalJSON(item)) !== leaf_hash) return "the leaf is not the hash of the item";
  const of = { leaf_hash, index: leaf_index, size: record.leaf_count, proof: audit_path, root: record.root };
  if (!verifyInclusion(of)) return "the path does not lead from the leaf to the seal's root";
  const read = readRecord(record);
  if (read === null || read.hash !== record_hash) return "the seal does not have its hash";
  const { text } = read;
  if (signed_text !== `intel-node:${SIGNED_RECEIPT_SEAL}:v1\n${text}`) return "the signed text is not that of the seal";
  if (!isKeyOf(public_key)) return "the key is none of the node's";
  if (!isSignedText({ kind: SIGNED_RECEIPT_SEAL, text, signature, public_key })) {
    return "the signature is not of this text and key";
  }
  const node_id = nodeIdOf(Buffer.from(public_key, "base64url"));
  const is_own = record.node_id === node_id && item.node_id === node_id;
  return is_own ? given : "node_id does not follow from the key";
}

function readRecord(record: CheckedSeal["record"]): { readonly hash: string; readonly text: string } | null {
  try {
    return { hash: hashRecord(record as RecordBody), text: statementOf(record as RecordBody) };
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
