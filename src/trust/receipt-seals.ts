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

/** Chain of the seals over sold answers. */
export const RECEIPT_SEALS = "receipt-seals";
/** Kind of the signed statement over one of them. */
export const SIGNED_RECEIPT_SEAL = "receipt-seal";

const HOUR_MS = 3_600_000;
/** The most receipts under one root, which limits the work to make a proof. */
const RECEIPTS_MAX = 4_096;
/** Receipts read from the books at once, so that sales never wait for a long read. */
const READ_MAX = 500;
/** The most seals of one run; the next run continues a busier hour. */
const SEALS_MAX = 200;
/** Trees kept for proofs, at most about 1 MB each. */
const TREES_KEPT = 8;

/** The content of a record besides its position. Receipts are numbered from 1 in order of settlement. */
interface Sealed extends RecordBody {
  readonly node_id: string;
  /** Number of the last receipt of the previous seal. */
  readonly after_receipt: number;
  readonly last_receipt: number;
  readonly leaf_count: number;
  /** Number of receipts for products that sell keys, which are never sealed. */
  readonly left_out: readonly string[];
  readonly root: string;
  readonly sealed_at: string;
}

/**
 * The hashed facts of one answer: request, payer, time, and also `inputs_sha256` and `code_sha256` if its inputs were
 * kept.
 */
export interface SealedAnswer extends Readonly<Record<string, string>> {
  readonly node_id: string;
  readonly product: string;
  readonly receipt_id: string;
  readonly request_sha256: string;
  readonly response_sha256: string;
  readonly settled_at: string;
}

/** Inputs and code of an answer, if both were kept when it was sealed. */
export interface SealedOrigin {
  readonly inputs_sha256: string;
  /** Null if the code is unknown. */
  readonly code_sha256: string | null;
}

/** A seal to show: the hashed record, its hash, and the signature. */
export interface ShownSeal {
  readonly record: RecordBody;
  readonly record_hash: string;
  readonly signed_text: string;
  readonly signature: string;
  /** The node's raw Ed25519 key at the time of signing, base64url. */
  readonly public_key: string;
}

export interface SealProof extends ShownSeal {
  readonly item: SealedAnswer;
  readonly leaf_hash: string;
  readonly leaf_index: number;
  readonly audit_path: readonly string[];
}

/** Hourly seals over everything sold for a payment, so that no past answer can be changed unnoticed. */
export interface ReceiptSeals {
  /** Seals receipts settled before the current hour and not yet sealed. @returns the number of new seals. */
  seal(): Promise<number>;
  /** The proof for one receipt, or the reason why there is none. @throws Error when the books contradict the seal. */
  prove(receipt: ReceiptRow): Promise<SealProof | { readonly reason: string }>;
  /**
   * The proof for an answer of which only the bytes are known, for its earliest sale from a time on. Answers with a key
   * are not sealed, so they are never found. @returns null if no seal contains it.
   */
  find(answer: AnswerHash): Promise<SealProof | null>;
  /** The seals after a number, oldest first, at most 100. */
  list(after_seq: number): Promise<readonly ShownSeal[]>;
}

/** An answer, identified by its bytes. */
export interface AnswerHash {
  /** SHA-256 of the raw body, hex. */
  readonly response_sha256: string;
  /** Its `generated_at`, or any time up to its sale, ms; null means from the beginning. */
  readonly at_ms: number | null;
}

export interface ReceiptSealOptions {
  readonly receipts: Pick<Receipts, "list" | "findByAnswer">;
  readonly records: Pick<WritableRecords, "head" | "read" | "append">;
  readonly signer: NodeSigner;
  /**
   * The stored inputs of an answer, by its hash; default: none. A seal names the inputs that exist, and its record
   * keeps their names, which stay proven after the inputs themselves are deleted.
   */
  readonly findOrigin?: (response_sha256: string) => SealedOrigin | null;
  /** Whether a product, by its id, sells a key or a pass. */
  readonly isPlan: (product: string) => boolean;
  readonly now_ms: () => number;
}

/** The receipts that are a seal's leaves, in order; read once per seal, then cached. */
interface Leaves {
  readonly tree: MerkleTree;
  readonly index_of: ReadonlyMap<string, number>;
}

/** The most origins that a seal may name, because the text beside its record is limited. */
const ORIGINS_MAX = 1_200;

/** The text kept beside a seal: each code once, and inputs by the number of their leaf's receipt. */
interface KeptOrigins {
  readonly codes: readonly string[];
  /** Receipt number within the seal, index of its code (-1: unknown), SHA-256 of its inputs in base64url. */
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

/** The text whose hash is a leaf; null for a sale from before digests were kept. */
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

/** A record of the chain, written only here and never changed. */
const sealedOf = ({ record }: StoredRecord): Sealed => record as Sealed;

/** The signed part of a record: everything except its position, which is fixed by its successor's hash. */
export const statementOf = ({ v: _v, seq: _seq, prev_hash: _prev_hash, ...sealed }: RecordBody): string =>
  canonicalJSON(sealed);

function show(stored: StoredRecord): ShownSeal {
  const { record, record_hash, beside } = stored;
  const { signature, public_key } = beside as { readonly signature: string; readonly public_key: string };
  const signed_text = getSignedText(SIGNED_RECEIPT_SEAL, statementOf(record));
  return { record, record_hash, signed_text, signature, public_key };
}

/** Sealing does not delay a sale: the books hold digests with each receipt, which are read an hour later. */
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

  /** The stored inputs of the receipts' answers, for as many receipts as have room beside one seal. */
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

  /** Makes one seal over the next receipts. @returns the number of its last receipt; null if none is due. */
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

  /** The first seal that reaches a receipt, found by binary search, because seals are in order of receipts. */
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
