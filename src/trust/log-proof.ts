import { getHistoryTrees } from "../records/history-trees.ts";
import type { Records } from "../records/record-chain.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { type ReadNote, readBase64, readNote } from "./signed-note.ts";

/** How far a log has come, as its checkpoint says (C2SP tlog-checkpoint); nothing of it is verified. */
export interface ReadCheckpoint {
  /** Which log. */
  readonly origin: string;
  readonly size: number;
  /** Hex. */
  readonly root: string;
  readonly note: ReadNote;
}

/** That something stands at a place of a log, as a file of its own (C2SP tlog-proof). */
export interface LogProof {
  /** What a reader may need beside it; nobody signed it. */
  readonly extra: Uint8Array | null;
  /** Place in the log, from 0. */
  readonly index: number;
  /** Hashes in hex, from the leaf's neighbour up (RFC 6962 section 2.1.1). */
  readonly audit_path: readonly string[];
  /** As the log gave it. */
  readonly checkpoint: string;
}

/** The first line of the file. */
export const LOG_PROOF_HEADER = "c2sp.org/tlog-proof@v1";

const HASH_BYTES = 32;
/** More would be more leaves than can be counted. */
const PATH_MAX = 63;
const COUNT = /^(?:0|[1-9]\d{0,14})$/;
const CHARS_MAX = 200_000;

const toBase64 = (hex: string): string => Buffer.from(hex, "hex").toString("base64");

/** A hash in base64, as hex; null for every other text. */
function readHash(text: string): string | null {
  const bytes = readBase64(text);
  return bytes?.length === HASH_BYTES ? bytes.toString("hex") : null;
}

/** @returns null when the text is no checkpoint */
export function readCheckpoint(text: string): ReadCheckpoint | null {
  const note = readNote(text);
  const [origin = "", size = "", hash = "", ...extensions] = note?.text.slice(0, -1).split("\n") ?? [];
  const root = readHash(hash);
  if (note === null || root === null || origin === "" || !COUNT.test(size) || extensions.includes("")) return null;
  return { origin, size: Number(size), root, note };
}

export function renderLogProof({ extra, index, audit_path, checkpoint }: LogProof): string {
  const lines = [LOG_PROOF_HEADER];
  if (extra !== null) lines.push(`extra ${Buffer.from(extra).toString("base64")}`);
  lines.push(`index ${index}`, ...audit_path.map(toBase64));
  return `${lines.join("\n")}\n\n${checkpoint}`;
}

/** Reads a proof, of which each has one spelling. @returns null when the text is none */
export function readLogProof(text: string): LogProof | null {
  const end = text.indexOf("\n\n");
  if (end < 0 || text.length > CHARS_MAX) return null;
  const [header, ...lines] = text.slice(0, end).split("\n");
  const has_extra = lines[0]?.startsWith("extra ") ?? false;
  const extra = has_extra ? readBase64(lines.shift()?.slice("extra ".length) ?? "") : null;
  const [, index] = /^index (.+)$/.exec(lines.shift() ?? "") ?? [];
  const audit_path = lines.flatMap((line) => readHash(line) ?? []);
  const is_whole = audit_path.length === lines.length && lines.length <= PATH_MAX && has_extra === (extra !== null);
  if (header !== LOG_PROOF_HEADER || index === undefined || !COUNT.test(index) || !is_whole) return null;
  return { extra, index: Number(index), audit_path, checkpoint: text.slice(end + 2) };
}

/** What a log sends to a witness (C2SP tlog-witness); nothing of it is verified. */
export interface ReadAddition {
  /** How far the log had come by the checkpoint that the witness cosigned last. */
  readonly old_size: number;
  /** Hashes in hex, of RFC 6962 section 2.1.2. */
  readonly proof: readonly string[];
  readonly checkpoint: ReadCheckpoint;
}

/** @returns null when the text is none */
export function readAddCheckpoint(text: string): ReadAddition | null {
  const end = text.indexOf("\n\n");
  if (end < 0) return null;
  const [first = "", ...lines] = text.slice(0, end).split("\n");
  const [, old_size = ""] = /^old (.+)$/.exec(first) ?? [];
  const proof = lines.flatMap((line) => readHash(line) ?? []);
  const checkpoint = readCheckpoint(text.slice(end + 2));
  const is_whole = COUNT.test(old_size) && proof.length === lines.length && lines.length <= PATH_MAX;
  return is_whole && checkpoint !== null ? { old_size: Number(old_size), proof, checkpoint } : null;
}

export const renderAddCheckpoint = (old_size: number, proof: readonly string[], checkpoint: string): string =>
  `${[`old ${old_size}`, ...proof.map(toBase64)].join("\n")}\n\n${checkpoint}`;

/** Proofs of the records of a node's own histories. */
export interface LogProofs {
  /** @returns null for a record that no checkpoint holds yet */
  read(chain: string, seq: number): Promise<string | null>;
}

export interface LogProofsOptions {
  readonly records: Records;
  readonly checkpoints: Pick<Checkpoints, "read">;
}

/** Each proof leads to the checkpoint that the node shows at that moment, and carries the record's hash. */
export const createLogProofs = ({ records, checkpoints }: LogProofsOptions): LogProofs => ({
  async read(chain, seq) {
    const checkpoint = await checkpoints.read(chain);
    const size = readCheckpoint(checkpoint)?.size ?? 0;
    // Whoever signed the checkpoint has read the history that far.
    const { records: tree, recordHashOf } = getHistoryTrees(records, chain);
    const record_hash = recordHashOf(seq);
    if (record_hash === undefined || seq > size) return null;
    const audit_path = tree.inclusionProof(seq - 1, size);
    return renderLogProof({ extra: Buffer.from(record_hash, "hex"), index: seq - 1, audit_path, checkpoint });
  },
});
