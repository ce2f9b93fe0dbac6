import { nodeIdOf } from "../core/identity.ts";
import { hashRecordLeaf } from "../records/history-trees.ts";
import { verifyInclusion } from "../records/merkle-tree.ts";
import { hashRecord, type RecordBody } from "../records/record-chain.ts";
import { parseLogName } from "./checkpoints.ts";
import { type LogProof, type ReadCheckpoint, readCheckpoint, readLogProof } from "./log-proof.ts";
import { isNoteSignedBy, type NoteKey, readCosignedAt } from "./signed-note.ts";
import { concludeClaims, type TrackReport } from "./track-record.ts";
import { broken, proven, type TrackClaim, unproven } from "./track-states.ts";
import { judgeNote, renderJudgement, type WitnessPolicy } from "./witness-policy.ts";

export interface LogProofOptions {
  /** Raw Ed25519 keys, base64url: the node's, as its DID document lists them. */
  readonly keys: readonly string[];
  /** The record, alone or among others, in an answer of a product or of /track-record/evidence. */
  readonly evidence: unknown;
  /** The witnesses that must have cosigned the checkpoint; none if absent. */
  readonly witnesses?: readonly NoteKey[];
  /** The policy with the witnesses that are enough; no cosignature is required without one. */
  readonly policy?: WitnessPolicy | undefined;
}

/**
 * Checks a C2SP tlog-proof of one record offline: the signer of its checkpoint, and whether the record is under it at
 * the position that it states. Any value is safe to check.
 */
export function verifyLogProof(text: string, { keys, evidence, witnesses = [], policy }: LogProofOptions): TrackReport {
  const proof = readLogProof(text);
  const checkpoint = proof && readCheckpoint(proof.checkpoint);
  if (!proof || !checkpoint) return concludeClaims([broken("form", "this is no C2SP tlog-proof of a log")], null);
  const { claim: signature, node_id } = checkSignature(checkpoint, keys);
  const cosigned = [
    ...checkWitnesses(checkpoint, witnesses),
    ...(policy === undefined ? [] : [checkPolicy(checkpoint, policy)]),
  ];
  const claims = [...checkPlace(proof, checkpoint, evidence), ...cosigned];
  const unsigned = claims.map((claim) =>
    claim.state === "proven" ? unproven(claim.name, `${claim.detail}; but nobody signed for it`) : claim,
  );
  return concludeClaims([signature, ...(signature.state === "proven" ? claims : unsigned)], node_id);
}

function checkSignature({ origin, size, note }: ReadCheckpoint, keys: readonly string[]) {
  const name = "signature";
  const log = parseLogName(origin);
  if (log === null) return { claim: broken(name, "the checkpoint is of no history of a node"), node_id: null };
  const { node_id, chain } = log;
  const own = keys.find((key) => nodeIdOf(Buffer.from(key, "base64url")) === node_id);
  if (own === undefined) return { claim: broken(name, `none of the keys is that of ${node_id}`), node_id };
  const claim = isNoteSignedBy(note, { name: origin, public_key: own })
    ? proven(name, `${node_id} signed the checkpoint of its ${chain}, ${size} records`)
    : broken(name, `the checkpoint is not signed by ${node_id}`);
  return { claim, node_id };
}

function checkWitnesses({ note }: ReadCheckpoint, witnesses: readonly NoteKey[]): readonly TrackClaim[] {
  if (witnesses.length === 0) return [];
  const missing = witnesses.filter((key) => readCosignedAt(note, key) === null).map(({ name }) => name);
  const all = witnesses.length;
  if (missing.length === 0) return [proven("witnesses", `all ${all} named cosigned the checkpoint`)];
  return [
    unproven(
      "witnesses",
      `${all - missing.length} of ${all} named cosigned the checkpoint; not: ${missing.join(", ")}`,
    ),
  ];
}

function checkPolicy({ note }: ReadCheckpoint, policy: WitnessPolicy): TrackClaim {
  const judgement = judgeNote(policy, note);
  return (judgement.is_met ? proven : unproven)("witnesses", renderJudgement(judgement));
}

function checkPlace(proof: LogProof, checkpoint: ReadCheckpoint, evidence: unknown): readonly TrackClaim[] {
  const { index, audit_path, extra } = proof;
  const { size, root } = checkpoint;
  const seq = index + 1;
  const isUnderRoot = (record_hash: string): boolean =>
    verifyInclusion({ leaf_hash: hashRecordLeaf(record_hash), index, size, proof: audit_path, root });
  const named = extra === null ? null : Buffer.from(extra).toString("hex");
  const row = findRow(evidence, seq);
  if (row === null) {
    if (named !== null && !isUnderRoot(named)) return [broken("membership", NOT_UNDER)];
    const shown = named === null ? "the record" : `the record with the hash ${named}`;
    return [unproven("membership", `${shown} is not shown: --evidence with a file that holds record ${seq}`)];
  }
  const { record, stated_hash } = row;
  const record_hash = hashOf(record);
  const fault = [
    record_hash === null && "the record is none that a node writes",
    stated_hash !== undefined && stated_hash !== record_hash && "the record does not have the hash beside it",
    named !== null && named !== record_hash && "the proof is of another record",
  ].find((one) => one !== false);
  if (fault !== undefined || record_hash === null) return [broken("membership", fault ?? NOT_UNDER)];
  if (!isUnderRoot(record_hash)) return [broken("membership", NOT_UNDER)];
  const own_seq = memberOf(record, "seq");
  return [
    proven("membership", `record ${seq} is part of the log, which holds no outcomes`),
    own_seq === seq
      ? proven("order", `it stands at its place, of ${size} records`)
      : broken("order", `it calls itself ${String(own_seq).slice(0, 20)}, and stands at ${seq}`),
  ];
}

const NOT_UNDER = "the hashes do not lead from the record to the checkpoint's root";

const hashOf = (record: object): string | null => {
  try {
    return hashRecord(record as RecordBody);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
};

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** The envelopes of records in files: an answer, the free evidence, and the file of --save with both. */
const LISTS: readonly (readonly string[])[] = [
  ["records"],
  ["data", "records"],
  ["answer", "records"],
  ["answer", "data", "records"],
  ["evidence", "records"],
];

interface FoundRow {
  readonly record: object;
  /** The hash stated beside it; undefined without one. */
  readonly stated_hash: unknown;
}

const isRecord = (value: unknown): value is object => typeof memberOf(value, "prev_hash") === "string";

function asRow(value: unknown): FoundRow | null {
  const record = memberOf(value, "record");
  return isRecord(record) ? { record, stated_hash: memberOf(value, "record_hash") } : null;
}

/** The record with a number in a file; if the file has only one record, that one, whatever its number. */
function findRow(evidence: unknown, seq: number): FoundRow | null {
  if (isRecord(evidence)) return { record: evidence, stated_hash: undefined };
  const single = asRow(evidence);
  if (single !== null) return single;
  for (const path of LISTS) {
    const list = path.reduce(memberOf, evidence);
    if (!Array.isArray(list)) continue;
    const found = list.map(asRow).find((row) => row !== null && memberOf(row.record, "seq") === seq);
    if (found) return found;
  }
  return null;
}
