import { type Static, Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { nodeIdOf } from "../core/identity.ts";
import { hashRecordLeaf } from "../records/history-trees.ts";
import { verifyConsistency, verifyInclusion } from "../records/merkle-tree.ts";
import { renderRecord } from "../records/record-chain.ts";
import { isSignedText } from "../records/signed-text.ts";
import { SIGNED_HISTORY_HEAD } from "./history-heads.ts";
import { statementOf } from "./receipt-seals.ts";
import type { KeptHead } from "./track-form.ts";
import { broken, proven, type TrackClaim, unproven } from "./track-states.ts";

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const Text = Type.String({ maxLength: 400 });
const Hashes = Type.Array(Hash, { maxItems: 128 });
const Joined = Type.Object({ size: Count, root: Hash, consistency: Hashes });
const Join = Type.Object({
  head: Type.Object({
    record: Type.Object({
      node_id: Text,
      of: Text,
      chain_length: Count,
      chain_head: Hash,
      records_root: Hash,
      signed_at: Text,
      outcome_log_size: Count,
      outcome_log_root: Hash,
    }),
    signature: Text,
    public_key: Text,
  }),
  record: Type.Object({ seq: Count, record_hash: Hash, audit_path: Hashes }),
  records: Joined,
  outcomes: Type.Union([Joined, Type.Null()]),
});
const checkForm = compileSchema(Join);
type JoinData = Static<typeof Join>;
const NAME = "kept head";

/** The newest head signed by the node's own key, or the reason why it is invalid. */
function findFalseHead({ record, signature, public_key }: JoinData["head"], node_id: string): string | null {
  let text: string;
  try {
    text = statementOf(record);
    renderRecord(record);
  } catch (error) {
    if (error instanceof TypeError) return "the newest head cannot be hashed";
    throw error;
  }
  const own_id = nodeIdOf(Buffer.from(public_key, "base64url"));
  if (own_id !== node_id || record.node_id !== node_id) return "the newest head is another node's";
  return isSignedText({ kind: SIGNED_HISTORY_HEAD, text, signature, public_key })
    ? null
    : "nobody signed the newest head";
}

/**
 * Whether a kept head is joined to the newest one: by the record's path and, if its roots were kept, by consistency
 * proofs over records and outcomes. Any value is safe to check.
 */
export function checkJoin(kept: KeptHead, given: unknown, { node_id, chain }: JoinContext): TrackClaim {
  if (!checkForm.Check(given)) return unproven(NAME, "the node gives no proof from that head on");
  const { head, record, records, outcomes } = given;
  const fault = findFalseHead(head, node_id);
  if (fault !== null) return broken(NAME, fault);
  const now = head.record;
  if (now.of !== chain) return broken(NAME, "the newest head is of another chain");
  const { length, head: kept_hash, records_root, outcome_log_size = 0, outcome_log_root } = kept;
  if (now.chain_length < length) return broken(NAME, "the chain was longer when the head was kept");
  const leaf = { leaf_hash: hashRecordLeaf(kept_hash), index: length - 1, proof: record.audit_path };
  if (!verifyInclusion({ ...leaf, size: now.chain_length, root: now.records_root })) {
    return broken(NAME, `record ${length} is not the one that was kept`);
  }
  if (records_root === undefined) return proven(NAME, `record ${length} is still the one it was, by the signed head`);
  const grown = { old_size: length, old_root: records_root, size: now.chain_length, root: now.records_root };
  if (!verifyConsistency({ ...grown, proof: records.consistency })) {
    return broken(NAME, `the ${length} records of then are not the first ${length} of now`);
  }
  if (outcome_log_root === undefined || outcome_log_size === 0) {
    return proven(NAME, `the ${length} records of then are the first of now`);
  }
  const log = { old_size: outcome_log_size, old_root: outcome_log_root, size: now.outcome_log_size };
  if (outcomes === null || !verifyConsistency({ ...log, root: now.outcome_log_root, proof: outcomes.consistency })) {
    return broken(NAME, `the ${outcome_log_size} outcomes of then are not the first of now`);
  }
  return proven(NAME, `the ${length} records and ${outcome_log_size} outcomes of then are the first of now`);
}

export interface JoinContext {
  readonly node_id: string;
  readonly chain: string;
}
