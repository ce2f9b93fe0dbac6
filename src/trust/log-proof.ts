import type { Checkpoints } from "./checkpoints.ts";
import { findLogRow, getShownLog, type ShownLogOptions } from "./log-rows.ts";
import { type ReadNote, readBase64, readNote } from "./signed-note.ts";

/** The unverified content of a log's checkpoint (C2SP tlog-checkpoint). */
export interface ReadCheckpoint {
  /** Name of the log. */
  readonly origin: string;
  readonly size: number;
  /** Hex. */
  readonly root: string;
  readonly note: ReadNote;
}

/** The proof that an entry is at a position of a log, as a separate file (C2SP tlog-proof). */
export interface LogProof {
  /** Unsigned extra data for the reader. */
  readonly extra: Uint8Array | null;
  /** Position in the log, from 0. */
  readonly index: number;
  /** Hashes in hex, from the leaf's neighbour up (RFC 6962 section 2.1.1). */
  readonly audit_path: readonly string[];
  /** The checkpoint as issued by the log. */
  readonly checkpoint: string;
}

/** The first line of the file. */
export const LOG_PROOF_HEADER = "c2sp.org/tlog-proof@v1";

const HASH_BYTES = 32;
/** The most hashes of a path; more would mean more leaves than can be counted. */
const PATH_MAX = 63;
const COUNT = /^(?:0|[1-9]\d{0,14})$/;
const CHARS_MAX = 200_000;

const toBase64 = (hex: string): string => Buffer.from(hex, "hex").toString("base64");

/** A hash in base64, as hex; null for every other text. */
function readHash(text: string): string | null {
  const bytes = readBase64(text);
  return bytes?.length === HASH_BYTES ? bytes.toString("hex") : null;
}

/** @returns null for an invalid checkpoint */
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

/** Reads a proof in its only valid spelling. @returns null for an invalid text */
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

/** A log's unverified request to a witness (C2SP tlog-witness). */
export interface ReadAddition {
  /** Size of the log in the checkpoint that the witness cosigned last. */
  readonly old_size: number;
  /** Hashes in hex, of RFC 6962 section 2.1.2. */
  readonly proof: readonly string[];
  readonly checkpoint: ReadCheckpoint;
}

/** @returns null for an invalid text */
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

/** Proofs of the entries of a node's own logs. */
export interface LogProofs {
  /**
   * @param place from 1
   * @returns null for an entry that no checkpoint holds yet
   */
  read(log: string, place: number): Promise<string | null>;
}

export interface LogProofsOptions extends ShownLogOptions {
  readonly checkpoints: Pick<Checkpoints, "read">;
}

/** Each proof leads to the checkpoint that the node shows at that moment, and carries the entry. */
export const createLogProofs = ({ checkpoints, ...options }: LogProofsOptions): LogProofs => ({
  async read(log, place) {
    const checkpoint = await checkpoints.read(log);
    const size = readCheckpoint(checkpoint)?.size ?? 0;
    const row = findLogRow(log);
    if (row === undefined || place > size) return null;
    // Whoever signed the checkpoint has read the log that far.
    const { tree, entryOf } = getShownLog(options, row);
    const entry = entryOf(place);
    if (entry === undefined) return null;
    const audit_path = tree.inclusionProof(place - 1, size);
    return renderLogProof({ extra: Buffer.from(entry, "hex"), index: place - 1, audit_path, checkpoint });
  },
});
