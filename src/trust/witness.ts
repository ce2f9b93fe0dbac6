import { renderTime } from "../core/clock.ts";
import { sha256Hex } from "../core/hash.ts";
import type { NodeIdentity } from "../core/identity.ts";
import { verifyConsistency } from "../records/merkle-tree.ts";
import type { StoredRecord, WritableRecords } from "../records/record-chain.ts";
import { parseLogName } from "./checkpoints.ts";
import { type ReadCheckpoint, readAddCheckpoint } from "./log-proof.ts";
import { cosign, isNoteSignedBy, type NoteSigner, renderWitnessKey } from "./signed-note.ts";

/** Chain of the checkpoints of others that this node cosigned. */
const WITNESSED = "witnessed-checkpoints";
/** Chain of the pairs of checkpoints by which a log contradicts itself. */
const FORKS = "witnessed-forks";

/** What the protocol answers a checkpoint with (C2SP tlog-witness). */
export interface WitnessAnswer {
  /** 400: no such text; 404: no such log; 403: not signed by it; 409: another old size, told; 422: no such proof. */
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  /** Whole lines: cosignatures, the size last cosigned, or for people what is wrong. */
  readonly body: string;
}

/** The checkpoint of a log that was cosigned last. */
export interface WitnessedLog {
  readonly origin: string;
  /** SHA-256 of the origin: how the log is called in addresses. */
  readonly origin_sha256: string;
  readonly size: number;
  readonly cosigned_at: string;
}

/** Two checkpoints of a log that its own key signed, of one size and with other roots. */
export interface WitnessedFork {
  readonly origin: string;
  readonly size: number;
  readonly found_at: string;
  readonly checkpoints: readonly [string, string];
}

/** A node as a witness of its peers' histories: it cosigns what goes on from what it cosigned before. */
export interface Witness {
  readonly name: string;
  readonly verifier_key: string;
  /** Takes what a log sends: old size, proof, checkpoint. */
  add(sent: string): Promise<WitnessAnswer>;
  logs(): Promise<readonly WitnessedLog[]>;
  /** The checkpoint of a log with this node's cosignature; null where none was cosigned. */
  find(origin_sha256: string): Promise<string | null>;
  forks(): Promise<readonly WitnessedFork[]>;
  /** Whether a fork of one of a node's logs is kept. */
  isInconsistent(node_id: string): Promise<boolean>;
}

export interface WitnessOptions {
  readonly records: WritableRecords;
  readonly identity: Pick<NodeIdentity, "node_id" | "public_key" | "sign">;
  readonly now_ms: () => number;
  /** The key of a node whose histories are witnessed; null for everybody else's. */
  readonly findKey: (node_id: string, chain: string) => Promise<string | null>;
  readonly onFork: (found: { readonly node_id: string; readonly chain: string }) => void;
}

interface Cosigned {
  readonly origin: string;
  readonly size: number;
  readonly root: string;
  /** The log's own note, without what others signed. */
  readonly note: string;
  readonly text: string;
  readonly time_s: number;
}

const READ_MAX = 1_000;
/** The books keep one checkpoint of each, and one fork: a peer with a new key every hour fills nothing. */
const LOGS_MAX = 1_000;
const ATTEMPTS_MAX = 5;
/** Of a note as it is kept; a node's own is of some 300. */
const NOTE_CHARS_MAX = 1_500;

/** Thrown by a draft whose place was taken by another writer. */
class MovedOnError extends TypeError {}

interface WitnessState {
  readonly newest: Map<string, Cosigned>;
  readonly forks: Map<string, WitnessedFork>;
  read_to: number;
  forks_to: number;
}

/** Reads what came since the last time, also from other nodes on the same books. */
async function follow(records: WritableRecords, kept: WitnessState): Promise<void> {
  for (;;) {
    const page = await records.read(WITNESSED, { after_seq: kept.read_to, limit: READ_MAX });
    for (const row of page) {
      // Another reader may have come by here in the meantime. What a newer one took the place of is not there.
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
  async function publishFork(known: Cosigned, other: string, node: { node_id: string; chain: string }): Promise<void> {
    const { origin, size, note: one } = known;
    if (kept.forks.has(origin)) return;
    const found_at = renderTime(now_ms());
    await records.append(FORKS, (link) => ({ v: 1, ...link, origin, size, found_at, one, other }));
    await follow(records, kept);
    onFork(node);
  }

  /** Keeps a checkpoint before anybody hears of it. @returns false where another one was kept meanwhile */
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

  /** What is wrong with a checkpoint that a log signed, beside the one cosigned last; null when it goes on from it. */
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
        // Nothing new to keep: that it is the longest still is said anew.
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
  readonly node: { readonly node_id: string; readonly chain: string };
  readonly own_note: string;
}

/** The root over no leaves. */
const EMPTY_ROOT = sha256Hex("");

/** A checkpoint with what its log signed alone: what others add is theirs. */
function renderOwnNote({ origin, note: { text, signatures } }: ReadCheckpoint): string {
  const own = signatures.filter(({ name }) => name === origin);
  return `${text}\n${own.map(({ name, bytes }) => `— ${name} ${bytes.toString("base64")}\n`).join("")}`;
}
