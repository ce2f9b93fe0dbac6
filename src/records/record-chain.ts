import { canonicalJSON, sha256Hex } from "../core/hash.ts";
import { hashMerkleLeaf } from "./merkle-tree.ts";

/**
 * A value that hashes to the same bytes in every language: no number but small integers; anything finer is a decimal
 * string.
 */
export type RecordValue =
  | string
  | number
  | boolean
  | null
  | readonly RecordValue[]
  | { readonly [name: string]: RecordValue };

/** A record as it is hashed: texts, whole numbers, booleans, null, lists and objects of them. */
export type RecordBody = { readonly [name: string]: RecordValue };

/** What a record must state of its place in its chain. */
export interface RecordLink {
  /** From 1. */
  readonly seq: number;
  /** `record_hash` of the record before it, or the chain's genesis. */
  readonly prev_hash: string;
}

/** How far a chain has come. A buyer who keeps it can prove later that nothing before it was changed. */
export interface ChainHead {
  readonly length: number;
  /** Hash of the last record; the genesis of an empty chain. */
  readonly head: string;
}

/** What became of a record; written once. */
export interface StoredOutcome {
  readonly outcome: RecordBody;
  readonly outcome_hash: string;
  /** Evidence that is kept, but not hashed. */
  readonly beside: RecordValue;
  readonly scored_at_ms: number;
}

/** A record with its place in its chain. */
export interface StoredRecord {
  readonly seq: number;
  readonly record: RecordBody;
  readonly record_hash: string;
  /** Kept with the record, but hashed only where the record itself holds its hash. */
  readonly beside: RecordValue;
  readonly recorded_at_ms: number;
  /** Null while it is open. */
  readonly outcome: StoredOutcome | null;
}

/** Which records of a chain; oldest first, whatever is asked. */
export interface RecordQuery {
  /** Only those after this one. */
  readonly after_seq?: number;
  /** Only those recorded at this time or later, ms. */
  readonly since_ms?: number;
  /** Only those without an outcome. */
  readonly open?: boolean;
  /** The first that many of them; with `newest`, the last. At most 1,000, which is also the default. */
  readonly limit?: number;
  readonly newest?: boolean;
}

/** Append-only, hash-chained records of the node, by the name of their chain, such as "signals". */
export interface Records {
  head(chain: string): Promise<ChainHead>;
  read(chain: string, query?: RecordQuery): Promise<readonly StoredRecord[]>;
}

/** A record before it has a place in its chain. */
export interface RecordDraft {
  readonly chain: string;
  /**
   * Makes the record for its place, which it must state as `seq` and `prev_hash`. Pure: it may be called more than
   * once.
   */
  readonly build: (link: RecordLink) => RecordBody;
  readonly beside?: RecordValue;
}

export interface OutcomeDraft {
  readonly chain: string;
  readonly seq: number;
  readonly outcome: RecordBody;
  readonly beside?: RecordValue;
}

/** Nothing written here can be changed or removed again. Resolves when it is durable. */
export interface WritableRecords extends Records {
  append(chain: string, build: RecordDraft["build"], beside?: RecordValue): Promise<StoredRecord>;
  /** All of them or none, in this order. */
  appendAll(drafts: readonly RecordDraft[]): Promise<readonly StoredRecord[]>;
  /** States what became of a record. @throws Error when that was stated before. */
  settle(draft: OutcomeDraft): Promise<StoredOutcome>;
}

/** Signs texts as the node. A text signed for one kind is never taken for one of another. */
export interface NodeSigner {
  readonly node_id: string;
  /** Fragment of the key's id, as /.well-known/verify-manifest lists it. */
  readonly key_id: string;
  /** Raw Ed25519 key, base64url. */
  readonly public_key: string;
  /** Ed25519 (RFC 8032) signature of `getSignedText(kind, text)`, base64url. */
  sign(kind: string, text: string): string;
}

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const DEPTH_MAX = 6;
const MEMBERS_MAX = 200;
const CHARS_MAX = 2_000;

/** @throws TypeError when the name of a chain, or of a kind of statement, is invalid. */
export function assertName(name: string): void {
  if (!NAME.test(name)) throw new TypeError(`"${name}" is no name of a chain or of a kind of statement`);
}

/** What the first record of a chain names as the one before it. */
export const getGenesis = (chain: string): string => {
  assertName(chain);
  return sha256Hex(`intel-node:${chain}:v1:genesis`);
};

/** The bytes a signature is over, as text. */
export const getSignedText = (kind: string, text: string): string => {
  assertName(kind);
  return `intel-node:${kind}:v1\n${text}`;
};

/**
 * Canonical text (RFC 8785) of a record or outcome.
 * @throws TypeError when it holds anything that another language might write otherwise, such as 0.1.
 */
export function renderRecord(body: RecordBody): string {
  assertValue(body, DEPTH_MAX);
  return canonicalJSON(body);
}

/** SHA-256 of the canonical text, hex. */
export const hashRecord = (body: RecordBody): string => sha256Hex(renderRecord(body));

function assertValue(value: unknown, depth: number): void {
  if (depth === 0) throw new TypeError("a record is nested too deeply");
  if (value === null || typeof value === "boolean") return;
  if (typeof value === "string") {
    if (value.length > CHARS_MAX) throw new TypeError("a record holds too long a text");
    assertUnicode(value);
    return;
  }
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new TypeError(`a record holds the number ${value}: write it as text`);
    return;
  }
  if (typeof value !== "object") throw new TypeError(`a record holds a ${typeof value}`);
  const members = Object.entries(value);
  if (members.length > MEMBERS_MAX) throw new TypeError("a record holds too many members");
  for (const [name, member] of members) {
    assertUnicode(name);
    assertValue(member, depth - 1);
  }
}

/** Half a surrogate pair has no bytes in UTF-8, and so no hash. */
function assertUnicode(text: string): void {
  if (!text.isWellFormed()) throw new TypeError("a record holds text that is not valid Unicode");
}

/** The leaf of a tree of outcomes: sha256(0x00 | record_hash | outcome_hash), both hashes in hex. */
export const hashOutcomeLeaf = (record_hash: string, outcome_hash: string): string =>
  hashMerkleLeaf(Buffer.from(record_hash + outcome_hash, "hex"));
