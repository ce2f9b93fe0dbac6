import { renderTime } from "../core/clock.ts";
import { sha256Hex } from "../core/hash.ts";
import type { NodeIdentity } from "../core/identity.ts";
import { verifyConsistency } from "../records/merkle-tree.ts";
import type { StoredRecord, WritableRecords } from "../records/record-chain.ts";
import { type NodeLog, parseLogName } from "./checkpoints.ts";
import { type ReadCheckpoint, readAddCheckpoint } from "./log-proof.ts";
import { cosign, isNoteSignedBy, type NoteSigner, renderWitnessKey } from "./signed-note.ts";

/** Chain of others' checkpoints that this node cosigned. */
const WITNESSED = "witnessed-checkpoints";
/** Chain of pairs of contradicting checkpoints of one log. */
const FORKS = "witnessed-forks";

/** The protocol's answer to a checkpoint (C2SP tlog-witness). */
export interface WitnessAnswer {
  /** 400: invalid text; 404: unknown log; 403: not signed by the log; 409: another old size, stated; 422: bad proof. */
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  /** Whole lines: cosignatures, the size cosigned last, or a fault for people. */
  readonly body: string;
}

/** The last cosigned checkpoint of a log. */
export interface WitnessedLog {
  readonly origin: string;
  /** SHA-256 of the origin, which identifies the log in addresses. */
  readonly origin_sha256: string;
  readonly size: number;
  readonly cosigned_at: string;
}

/** Two checkpoints of one log and size with different roots, both signed by the log's key. */
export interface WitnessedFork {
  readonly origin: string;
  readonly size: number;
  readonly found_at: string;
  readonly checkpoints: readonly [string, string];
}

/** The node as a witness of its peers' histories: it cosigns a checkpoint that continues the last cosigned one. */
export interface Witness {
  readonly name: string;
  readonly verifier_key: string;
  /** Accepts a log's request: old size, proof, checkpoint. */
  add(sent: string): Promise<WitnessAnswer>;
  logs(): Promise<readonly WitnessedLog[]>;
  /** The checkpoint of a log with this node's cosignature; null without one. */
  find(origin_sha256: string): Promise<string | null>;
  forks(): Promise<readonly WitnessedFork[]>;
  /** Whether a fork of one of a node's logs is kept. */
  isInconsistent(node_id: string): Promise<boolean>;
}

export interface WitnessOptions {
  readonly records: WritableRecords;
  readonly identity: Pick<NodeIdentity, "node_id" | "public_key" | "sign">;
  readonly now_ms: () => number;
  /** The key of a node whose histories are witnessed; null for other nodes. */
  readonly findKey: (node_id: string, chain: string) => Promise<string | null>;
  readonly onFork: (found: NodeLog) => void;
}

interface Cosigned {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  /** The log's own note, without signatures of others. */
  readonly note: string;
  readonly text: string;
  readonly time_s: number;
}

const READ_MAX = 1_000;
/** Limit of logs. The books keep one checkpoint and one fork of each, so a peer with many new keys cannot fill them. */
const LOGS_MAX = 1_000;
const ATTEMPTS_MAX = 5;
/** Largest kept note; a node's own has some 300 characters. */
const NOTE_CHARS_MAX = 1_500;

/** Thrown by a draft if another writer has taken its position. */
class MovedOnError extends TypeError {}

interface WitnessState {
  readonly newest: Map<string, Cosigned>;
  readonly forks: Map<string, WitnessedFork>;
  read_to: number;
  forks_to: number;
}

/** Reads new records, including those of other nodes on the same books. */
async function follow(records: WritableRecords, kept: WitnessState): Promise<void> {
  for (;;) {
    const page = await records.read(WITNESSED, { after_seq: kept.read_to, limit: READ_MAX });
    for (const row of page) {
      // Another reader may have read these records meanwhile. A record replaced by a newer one does not exist any more.
      if (row.seq <= kept.read_to) continue;
      const cosigned = readCosigned(row);
      kept.newest.set(cosigned.origin, cosigned);
      kept.read_to = row.seq;
    }
    if (page.length < READ_MAX) break;
  }
  for (const row of await records.read(FORKS, { after_seq: kept.forks_to, limit: READ_MAX })) {
    if (row.seq !== kept.forks_to + 1) continue;
    const { origin, size, found_at, one, other } = row.record as Readonly<Record<string, string | number>>;
    const checkpoints = [String(one), String(other)] as const;
    kept.forks.set(String(origin), {
      origin: String(origin),
      size: Number(size),
      found_at: String(found_at),
      checkpoints,
    });
    kept.forks_to = row.seq;
  }
}

function readCosigned({ record }: StoredRecord): Cosigned {
  const { origin, size, root, note, time_s } = record as Readonly<Record<string, string | number>>;
  const text = String(note).slice(0, String(note).lastIndexOf("\n\n") + 1);
  return {
    origin: String(origin),
    size: Number(size),
    root: String(root),
    note: String(note),
    text,
    time_s: Number(time_s),
  };
}

const refuse = (status: WitnessAnswer["status"], why: string): WitnessAnswer => ({ status, body: `${why}\n` });

export function createWitness({ records, identity, now_ms, findKey, onFork }: WitnessOptions): Witness {
  const signer: NoteSigner = {
    name: `intel-node/${identity.node_id}`,
    public_key: identity.public_key,
    sign: identity.sign,
  };
  const kept: WitnessState = { newest: new Map(), forks: new Map(), read_to: 0, forks_to: 0 };

  /** Keeps both for good, once for a log: either signature alone would be worth nothing. */
  async function publishFork(known: Cosigned, other: string, node: NodeLog): Promise<void> {
    const { origin, size, note: one } = known;
    if (kept.forks.has(origin)) return;
    const found_at = renderTime(now_ms());
    await records.append(FORKS, (link) => ({ v: 1, ...link, origin, size, found_at, one, other }));
    await follow(records, kept);
    onFork(node);
  }

  /** Keeps a checkpoint before the answer is sent. @returns false if another one was kept meanwhile */
  async function keep(cosigned: Cosigned): Promise<boolean> {
    const { text: _, ...row } = cosigned;
    const place = kept.read_to + 1;
    try {
      await records.append(WITNESSED, (link) => {
        if (link.seq !== place) throw new MovedOnError("another checkpoint was cosigned");
        return { v: 1, ...link, ...row };
      });
      return true;
    } catch (error) {
      if (error instanceof MovedOnError || (error instanceof Error && error.cause instanceof MovedOnError))
        return false;
      throw error;
    } finally {
      await follow(records, kept);
    }
  }

  const answer = ({ text, time_s }: Cosigned): WitnessAnswer => ({ status: 200, body: cosign(text, signer, time_s) });

  /** The fault of a log's checkpoint compared with the last cosigned one; null if it continues that one. */
  function findFault(
    known: Cosigned | undefined,
    { old_size, proof, checkpoint }: SignedAddition,
  ): WitnessAnswer | null {
    const { size, root } = checkpoint;
    if (old_size > size) return refuse(400, "the old size is beyond the checkpoint's");
    if (old_size !== (known?.size ?? 0)) return { status: 409, body: `${known?.size ?? 0}\n` };
    if (old_size === 0 || known === undefined) {
      const is_right = proof.length === 0 && (size > 0 || root === EMPTY_ROOT);
      return is_right ? null : refuse(422, "nothing is proven of an empty log");
    }
    const is_grown = verifyConsistency({ old_size, old_root: known.root, size, root, proof });
    return is_grown ? null : refuse(422, "it does not go on from the checkpoint cosigned last");
  }

  async function addSigned(addition: SignedAddition): Promise<WitnessAnswer> {
    const { origin, size, root, note } = addition.checkpoint;
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      await follow(records, kept);
      const known = kept.newest.get(origin);
      if (known?.size === size && known.root !== root) await publishFork(known, addition.own_note, addition.node);
      const fault = findFault(known, addition);
      if (fault !== null) return fault;
      if (known === undefined && kept.newest.size >= LOGS_MAX) return refuse(404, "no more logs are witnessed here");
      const time_s = Math.floor(now_ms() / 1_000);
      const cosigned = { origin, size, root, note: addition.own_note, text: note.text, time_s };
      if (known?.size === size) {
        // There is nothing new to keep, but the cosignature gets a new time.
        kept.newest.set(origin, cosigned);
        return answer(cosigned);
      }
      if (await keep(cosigned)) return answer(cosigned);
    }
    return { status: 409, body: `${kept.newest.get(origin)?.size ?? 0}\n` };
  }

  return {
    name: signer.name,
    verifier_key: renderWitnessKey(signer),
    async add(sent) {
      const addition = readAddCheckpoint(sent);
      if (addition === null) return refuse(400, "this is no old size, proof and checkpoint");
      const { checkpoint } = addition;
      const { origin, note } = checkpoint;
      const node = parseLogName(origin);
      const public_key = node && (await findKey(node.node_id, node.chain));
      if (!node || public_key === null) return refuse(404, "this log is not witnessed here");
      if (!isNoteSignedBy(note, { name: origin, public_key }))
        return refuse(403, "its log did not sign the checkpoint");
      const own_note = renderOwnNote(checkpoint);
      if (own_note.length > NOTE_CHARS_MAX) return refuse(400, "the checkpoint is too long to be kept");
      return addSigned({ ...addition, node, own_note });
    },
    async logs() {
      await follow(records, kept);
      return [...kept.newest.values()].map(({ origin, size, time_s }) => ({
        origin,
        origin_sha256: sha256Hex(origin),
        size,
        cosigned_at: renderTime(time_s * 1_000),
      }));
    },
    async find(origin_sha256) {
      await follow(records, kept);
      const found = [...kept.newest.values()].find(({ origin }) => sha256Hex(origin) === origin_sha256);
      return found ? `${found.note}${answer(found).body}` : null;
    },
    async isInconsistent(node_id) {
      await follow(records, kept);
      return [...kept.forks.keys()].some((origin) => parseLogName(origin)?.node_id === node_id);
    },
    async forks() {
      await follow(records, kept);
      return [...kept.forks.values()];
    },
  };
}

interface SignedAddition {
  readonly old_size: number;
  readonly proof: readonly string[];
  readonly checkpoint: ReadCheckpoint;
  readonly node: NodeLog;
  readonly own_note: string;
}

/** The root over no leaves. */
const EMPTY_ROOT = sha256Hex("");

/** A checkpoint with only its log's own signature. */
function renderOwnNote({ origin, note: { text, signatures } }: ReadCheckpoint): string {
  const own = signatures.filter(({ name }) => name === origin);
  return `${text}\n${own.map(({ name, bytes }) => `— ${name} ${bytes.toString("base64")}\n`).join("")}`;
}
