import { renderTime } from "../core/clock.ts";
import { canonicalJSON } from "../core/hash.ts";
import { createLRU } from "../core/lru.ts";
import type { ReceiptRow, Receipts } from "../ledger/receipts.ts";
import { createMerkleRoot, createMerkleTree, hashMerkleLeaf, type MerkleTree } from "../records/merkle-tree.ts";
import {
  getSignedText,
  type NodeSigner,
  type RecordBody,
  type StoredRecord,
  type WritableRecords,
} from "../records/record-chain.ts";

/** Chain of the seals over what was sold. */
export const RECEIPT_SEALS = "receipt-seals";
/** Kind of the signed statement over one of them. */
export const SIGNED_RECEIPT_SEAL = "receipt-seal";

const HOUR_MS = 3_600_000;
/** Receipts under one root: what it takes to make a proof is bounded by it. */
const RECEIPTS_MAX = 4_096;
/** How many are read from the books at once, so that sales wait for no long reading. */
const READ_MAX = 500;
/** Seals of one run; a busier hour is gone on with in the next. */
const SEALS_MAX = 200;
/** Trees kept for proofs, at most about 1 MB each. */
const TREES_KEPT = 8;

/** What a record of the chain states, beside its place. Receipts count from 1 in the order they were settled. */
interface Sealed extends RecordBody {
  readonly node_id: string;
  /** Number of the last receipt of the seal before it. */
  readonly after_receipt: number;
  readonly last_receipt: number;
  readonly leaf_count: number;
  /** Products among them that sell keys: never sealed. */
  readonly left_out: readonly string[];
  readonly root: string;
  readonly sealed_at: string;
}

/**
 * What is hashed of one answer: of which request, by whom, when. Where what it was made of was kept, also
 * `inputs_sha256` and `code_sha256`.
 */
export interface SealedAnswer extends Readonly<Record<string, string>> {
  readonly node_id: string;
  readonly product: string;
  readonly receipt_id: string;
  readonly request_sha256: string;
  readonly response_sha256: string;
  readonly settled_at: string;
}

/** What an answer was made of and by which code, where both were kept when it was sealed. */
export interface SealedOrigin {
  readonly inputs_sha256: string;
  /** Null where the code could not be told. */
  readonly code_sha256: string | null;
}

/** A seal as it is shown: the hashed record, its hash, and the signature. */
export interface ShownSeal {
  readonly record: RecordBody;
  readonly record_hash: string;
  readonly signed_text: string;
  readonly signature: string;
  /** Raw Ed25519 key, base64url: the node's when it was signed. */
  readonly public_key: string;
}

export interface SealProof extends ShownSeal {
  readonly item: SealedAnswer;
  readonly leaf_hash: string;
  readonly leaf_index: number;
  readonly audit_path: readonly string[];
}

/** Hourly seals over everything that was sold for a payment: nobody can change an answer of the past unseen. */
export interface ReceiptSeals {
  /** Seals what was settled before the present hour and is not sealed yet. @returns how many seals were made. */
  seal(): Promise<number>;
  /** The proof for one receipt, or why there is none. @throws Error when the books are not what was sealed. */
  prove(receipt: ReceiptRow): Promise<SealProof | { readonly reason: string }>;
  /**
   * The proof for an answer of which only the bytes are known: of its earliest sale from a time on. Answers that hold a
   * key are in no seal, so no hash of one is found. @returns null where no seal holds it.
   */
  find(answer: AnswerHash): Promise<SealProof | null>;
  /** Seals after one, oldest first, at most 100. */
  list(after_seq: number): Promise<readonly ShownSeal[]>;
}

/** An answer by its bytes. */
export interface AnswerHash {
  /** SHA-256 of the body as it came, hex. */
  readonly response_sha256: string;
  /** Its `generated_at`, or any time up to its sale, ms; null is from the beginning on. */
  readonly at_ms: number | null;
}

export interface ReceiptSealOptions {
  readonly receipts: Pick<Receipts, "list" | "findByAnswer">;
  readonly records: Pick<WritableRecords, "head" | "read" | "append">;
  readonly signer: NodeSigner;
  /**
   * What is durable of how an answer was made, by its hash; nothing unless given. A seal names what is there, and the
   * record keeps what it named: what was named stays proven when the inputs themselves end.
   */
  readonly findOrigin?: (response_sha256: string) => SealedOrigin | null;
  /** Whether a product, by its id, sells a key or a pass. */
  readonly isPlan: (product: string) => boolean;
  readonly now_ms: () => number;
}

/** Read once per seal, then kept: which receipts are its leaves, in order. */
interface Leaves {
  readonly tree: MerkleTree;
  readonly index_of: ReadonlyMap<string, number>;
}

/** Origins a seal may name: its record's text beside it is bounded. */
const ORIGINS_MAX = 1_200;

/** As kept beside a seal: codes once, inputs by the number of their leaf's receipt. */
interface KeptOrigins {
  readonly codes: readonly string[];
  /** Receipt's number after the seal before, place of its code (-1: not told), SHA-256 of its inputs in base64url. */
  readonly inputs: readonly (readonly [receipt: number, code: number, sha256: string])[];
}

function packOrigins(after: number, origins: ReadonlyMap<number, SealedOrigin>): KeptOrigins {
  const codes = [...new Set([...origins.values()].flatMap(({ code_sha256 }) => code_sha256 ?? []))];
  const inputs = [...origins].map(([seq, { inputs_sha256, code_sha256 }]) => {
    const code = code_sha256 === null ? -1 : codes.indexOf(code_sha256);
    return [seq - after, code, Buffer.from(inputs_sha256, "hex").toString("base64url")] as const;
  });
  return { codes, inputs };
}

function unpackOrigins({ beside, record }: StoredRecord): ReadonlyMap<number, SealedOrigin> {
  const { origins } = beside as { readonly origins?: KeptOrigins };
  const { after_receipt } = record as Sealed;
  return new Map(
    (origins?.inputs ?? []).map(([receipt, code, sha256]) => [
      after_receipt + receipt,
      {
        inputs_sha256: Buffer.from(sha256, "base64url").toString("hex"),
        code_sha256: origins?.codes[code] ?? null,
      },
    ]),
  );
}

/** The text whose hash is a leaf; null for what was sold before digests were kept. */
function toItem(receipt: ReceiptRow, node_id: string, origin: SealedOrigin | undefined): SealedAnswer | null {
  const { id, product, request_sha256, response_sha256, settled_at_ms } = receipt;
  if (request_sha256 === null || response_sha256 === null) return null;
  const settled_at = renderTime(settled_at_ms);
  const { inputs_sha256, code_sha256 = null } = origin ?? {};
  const bound = {
    ...(inputs_sha256 === undefined ? {} : { inputs_sha256 }),
    ...(code_sha256 === null ? {} : { code_sha256 }),
  };
  return { node_id, product, receipt_id: id, request_sha256, response_sha256, settled_at, ...bound };
}

const hashItem = (item: SealedAnswer): string => hashMerkleLeaf(canonicalJSON(item));

/** A record of the chain: written here alone, and never changed since. */
const sealedOf = ({ record }: StoredRecord): Sealed => record as Sealed;

/** What the signature is over: all of a record but its place in the chain, which its successor's hash fixes. */
export const statementOf = ({ v: _v, seq: _seq, prev_hash: _prev_hash, ...sealed }: RecordBody): string =>
  canonicalJSON(sealed);

function show(stored: StoredRecord): ShownSeal {
  const { record, record_hash, beside } = stored;
  const { signature, public_key } = beside as { readonly signature: string; readonly public_key: string };
  const signed_text = getSignedText(SIGNED_RECEIPT_SEAL, statementOf(record));
  return { record, record_hash, signed_text, signature, public_key };
}

/** Nothing of it is on the way of a sale: digests are in the books with each receipt, and are read an hour later. */
export function createReceiptSeals(options: ReceiptSealOptions): ReceiptSeals {
  const { receipts, records, signer, isPlan, now_ms, findOrigin = () => null } = options;
  const kept = createLRU<Leaves, number>(TREES_KEPT);

  /** Receipts numbered above `after` up to `last`, oldest first. */
  async function readRange(after: number, last: number): Promise<ReceiptRow[]> {
    const rows: ReceiptRow[] = [];
    for (let from = after; from < last; from += READ_MAX) {
      const to = Math.min(from + READ_MAX, last);
      const part = await receipts.list({ limit: READ_MAX, before_seq: to + 1 });
      rows.push(...part.filter(({ seq }) => seq > from).reverse());
    }
    return rows;
  }

  /** What is durable of the receipts' answers; as many receipts as have room for it beside one seal. */
  function findOrigins(rows: readonly ReceiptRow[]) {
    const origins = new Map<number, SealedOrigin>();
    for (const [index, { seq, product, response_sha256 }] of rows.entries()) {
      const origin = response_sha256 === null || isPlan(product) ? null : findOrigin(response_sha256);
      if (origin === null) continue;
      if (origins.size === ORIGINS_MAX) return { due: rows.slice(0, index), origins };
      origins.set(seq, origin);
    }
    return { due: rows, origins };
  }

  /** Makes one seal over the next receipts. @returns the number of its last one; null when none is due. */
  async function sealNext(after: number, newest: number): Promise<number | null> {
    const now = now_ms();
    const hour_ms = now - (now % HOUR_MS);
    const rows = await readRange(after, Math.min(after + RECEIPTS_MAX, newest));
    const is_due = rows.findIndex(({ settled_at_ms }) => settled_at_ms >= hour_ms);
    const { due, origins } = findOrigins(is_due < 0 ? rows : rows.slice(0, is_due));
    const last = due.at(-1)?.seq;
    if (last === undefined) return null;
    const { node_id, public_key } = signer;
    const left_out = [...new Set(due.map(({ product }) => product).filter(isPlan))].sort();
    const root = createMerkleRoot();
    let leaf_count = 0;
    for (const row of due) {
      const item = left_out.includes(row.product) ? null : toItem(row, node_id, origins.get(row.seq));
      if (item === null) continue;
      root.append(hashItem(item));
      leaf_count += 1;
    }
    const sealed: Sealed = {
      node_id,
      after_receipt: after,
      last_receipt: last,
      leaf_count,
      left_out,
      root: root.root(),
      sealed_at: renderTime(now),
    };
    const signature = signer.sign(SIGNED_RECEIPT_SEAL, canonicalJSON(sealed));
    const beside = origins.size === 0 ? {} : { origins: { ...packOrigins(after, origins) } };
    const signed = { signature, public_key, ...beside };
    await records.append(RECEIPT_SEALS, (link) => ({ v: 1, ...link, ...sealed }), signed);
    return last;
  }

  async function lastSealed(): Promise<number> {
    const [newest] = await records.read(RECEIPT_SEALS, { limit: 1, newest: true });
    return newest ? sealedOf(newest).last_receipt : 0;
  }

  const readSeal = async (seq: number): Promise<StoredRecord | null> =>
    (await records.read(RECEIPT_SEALS, { after_seq: seq - 1, limit: 1 }))[0] ?? null;

  /** The first seal that reaches a receipt: they are in its order, so half of them fall away with each look. */
  async function findSeal(receipt_seq: number): Promise<StoredRecord | null> {
    let [low, high] = [1, (await records.head(RECEIPT_SEALS)).length];
    let found: StoredRecord | null = null;
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const looked = await readSeal(middle);
      if (!looked) return null;
      if (sealedOf(looked).last_receipt >= receipt_seq) [found, high] = [looked, middle - 1];
      else low = middle + 1;
    }
    return found;
  }

  async function readLeaves(seal: StoredRecord): Promise<Leaves> {
    const known = kept.get(seal.seq);
    if (known) return known;
    const { after_receipt, last_receipt, left_out, node_id, root } = sealedOf(seal);
    const origins = unpackOrigins(seal);
    const tree = createMerkleTree();
    const index_of = new Map<string, number>();
    for (const row of await readRange(after_receipt, last_receipt)) {
      const item = left_out.includes(row.product) ? null : toItem(row, node_id, origins.get(row.seq));
      if (item === null) continue;
      index_of.set(row.id, tree.size);
      tree.append(hashItem(item));
    }
    if (tree.root() !== root) throw new Error(`the receipts are not what seal ${seal.seq} was made over`);
    const leaves = { tree, index_of };
    kept.set(seal.seq, leaves);
    return leaves;
  }

  const prove: ReceiptSeals["prove"] = async (receipt) => {
    if (receipt.request_sha256 === null) return { reason: "it was sold before digests of answers were kept" };
    if (isPlan(receipt.product)) return { reason: "it holds a key: such answers are never sealed" };
    const seal = await findSeal(receipt.seq);
    if (!seal) return { reason: "it is not sealed yet: seals are made at five past, over the hours before" };
    const { tree, index_of } = await readLeaves(seal);
    const leaf_index = index_of.get(receipt.id);
    const item = toItem(receipt, sealedOf(seal).node_id, unpackOrigins(seal).get(receipt.seq));
    if (leaf_index === undefined || item === null) return { reason: "answers of its product were not sealed then" };
    const audit_path = tree.inclusionProof(leaf_index);
    return { item, leaf_hash: hashItem(item), leaf_index, audit_path, ...show(seal) };
  };

  return {
    async seal() {
      const [newest] = await receipts.list({ limit: 1 });
      let made = 0;
      for (let after: number | null = await lastSealed(); after !== null && made < SEALS_MAX; ) {
        if (after >= (newest?.seq ?? 0)) break;
        after = await sealNext(after, newest?.seq ?? 0);
        if (after !== null) made += 1;
      }
      return made;
    },
    async find({ response_sha256, at_ms }) {
      const receipt = await receipts.findByAnswer(response_sha256, at_ms ?? 0);
      const found = receipt ? await prove(receipt) : null;
      return found && !("reason" in found) ? found : null;
    },
    prove,
    list: async (after_seq) => (await records.read(RECEIPT_SEALS, { after_seq, limit: 100 })).map(show),
  };
}
