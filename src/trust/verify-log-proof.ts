import { nodeIdOf } from "../core/identity.ts";
import { hashMerkleLeaf, verifyInclusion } from "../records/merkle-tree.ts";
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
 * Checks a C2SP tlog-proof of one record, or of what came of one, without asking anybody: whose checkpoint it is, and
 * whether the entry stands under it at its place. Every value is safe to ask about.
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
  const kind = KINDS[parseLogName(checkpoint.origin)?.of ?? "records"];
  const claims = [...checkPlace({ proof, checkpoint, evidence, kind }), ...cosigned];
  const unsigned = claims.map((claim) =>
    claim.state === "proven" ? unproven(claim.name, `${claim.detail}; but nobody signed for it`) : claim,
  );
  return concludeClaims([signature, ...(signature.state === "proven" ? claims : unsigned)], node_id);
}

function checkSignature({ origin, size, note }: ReadCheckpoint, keys: readonly string[]) {
  const name = "signature";
  const log = parseLogName(origin);
  if (log === null) return { claim: broken(name, "the checkpoint is of no history of a node"), node_id: null };
  const { node_id, chain, of } = log;
  const own = keys.find((key) => nodeIdOf(Buffer.from(key, "base64url")) === node_id);
  if (own === undefined) return { claim: broken(name, `none of the keys is that of ${node_id}`), node_id };
  const claim = isNoteSignedBy(note, { name: origin, public_key: own })
    ? proven(name, `${node_id} signed the checkpoint of its ${chain}, ${size} ${of}`)
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

/** What a log is of: how a row of evidence makes an entry, and what it must say of its place. */
interface EntryKind {
  /** Whether a row shows what the log is of at all. */
  readonly isShown: (row: FoundRow) => boolean;
  /** Where the row says at which place of the log it is. */
  readonly placeOf: (row: FoundRow) => unknown;
  /** The entry in hex, or what is wrong with the row. */
  readonly entryOf: (row: FoundRow) => { readonly entry: string } | { readonly fault: string };
  /** What the log contains, as shown. */
  readonly nameOf: (row: FoundRow, place: number) => string;
  readonly shown: string;
}

const RECORD_KIND: EntryKind = {
  isShown: () => true,
  placeOf: ({ record }) => memberOf(record, "seq"),
  entryOf({ record, stated_hash }) {
    const record_hash = hashOf(record);
    if (record_hash === null) return { fault: "the record is none that a node writes" };
    const is_other = stated_hash !== undefined && stated_hash !== record_hash;
    return is_other ? { fault: "the record does not have the hash beside it" } : { entry: record_hash };
  },
  nameOf: (_, place) => `record ${place} is part of the log, which holds no outcomes`,
  shown: "record",
};

const OUTCOME_KIND: EntryKind = {
  isShown: ({ outcome }) => outcome !== null,
  placeOf: ({ outcome_seq }) => outcome_seq,
  entryOf(row) {
    const of = RECORD_KIND.entryOf(row);
    if ("fault" in of) return of;
    const { outcome, stated_outcome_hash } = row;
    const outcome_hash = outcome === null ? null : hashOf(outcome);
    if (outcome_hash === null) return { fault: "the outcome is none that a node writes" };
    const is_other = stated_outcome_hash !== undefined && stated_outcome_hash !== outcome_hash;
    if (is_other) return { fault: "the outcome does not have the hash beside it" };
    const is_of =
      memberOf(outcome, "record_hash") === of.entry && memberOf(outcome, "seq") === memberOf(row.record, "seq");
    return is_of ? { entry: of.entry + outcome_hash } : { fault: "the outcome is of another record" };
  },
  nameOf: ({ record }) => `the outcome of record ${String(memberOf(record, "seq")).slice(0, 20)} is part of the log`,
  shown: "outcome",
};

const KINDS = { records: RECORD_KIND, outcomes: OUTCOME_KIND } as const;

interface PlaceOptions {
  readonly proof: LogProof;
  readonly checkpoint: ReadCheckpoint;
  readonly evidence: unknown;
  readonly kind: EntryKind;
}

function checkPlace({ proof, checkpoint, evidence, kind }: PlaceOptions): readonly TrackClaim[] {
  const { index, audit_path, extra } = proof;
  const { size, root } = checkpoint;
  const place = index + 1;
  const isUnderRoot = (entry: string): boolean =>
    verifyInclusion({ leaf_hash: hashMerkleLeaf(Buffer.from(entry, "hex")), index, size, proof: audit_path, root });
  const named = extra === null ? null : Buffer.from(extra).toString("hex");
  const row = findRow(evidence, (one) => kind.placeOf(one) === place);
  if (row === null || !kind.isShown(row)) {
    if (named !== null && !isUnderRoot(named)) return [broken("membership", NOT_UNDER)];
    const what = named === null ? `the ${kind.shown}` : `the ${kind.shown} with the hash ${named}`;
    return [unproven("membership", `${what} is not shown: --evidence with a file that holds ${kind.shown} ${place}`)];
  }
  const made = kind.entryOf(row);
  if ("fault" in made) return [broken("membership", made.fault)];
  if (named !== null && named !== made.entry) return [broken("membership", `the proof is of another ${kind.shown}`)];
  if (!isUnderRoot(made.entry)) return [broken("membership", NOT_UNDER)];
  const own_place = kind.placeOf(row);
  return [
    proven("membership", kind.nameOf(row, place)),
    own_place === place
      ? proven("order", `it stands at its place, of ${size} ${kind.shown}s`)
      : broken("order", `it calls itself ${String(own_place).slice(0, 20)}, and stands at ${place}`),
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
  /** What came of it; null where that is not shown. */
  readonly outcome: object | null;
  readonly stated_outcome_hash: unknown;
  /** Its place among all outcomes, as far as it is told. */
  readonly outcome_seq: unknown;
}

const isRecord = (value: unknown): value is object => typeof memberOf(value, "prev_hash") === "string";

function asRow(value: unknown): FoundRow | null {
  const record = memberOf(value, "record");
  if (!isRecord(record)) return null;
  const outcome = memberOf(value, "outcome");
  return {
    record,
    stated_hash: memberOf(value, "record_hash"),
    outcome: typeof outcome === "object" ? outcome : null,
    stated_outcome_hash: memberOf(value, "outcome_hash"),
    outcome_seq: memberOf(value, "outcome_seq"),
  };
}

const NOTHING_BESIDE = {
  stated_hash: undefined,
  outcome: null,
  stated_outcome_hash: undefined,
  outcome_seq: undefined,
};

/** The row that is wanted in whatever was kept; a file of one row holds that one, whatever its place. */
function findRow(evidence: unknown, isWanted: (row: FoundRow) => boolean): FoundRow | null {
  if (isRecord(evidence)) return { record: evidence, ...NOTHING_BESIDE };
  const single = asRow(evidence);
  if (single !== null) return single;
  for (const path of LISTS) {
    const list = path.reduce(memberOf, evidence);
    if (!Array.isArray(list)) continue;
    const found = list.map(asRow).find((row) => row !== null && isWanted(row));
    if (found) return found;
  }
  return null;
}
