import { type Static, Type } from "@sinclair/typebox";
import {
  canonicalJSON,
  compileSchema,
  createMerkleTree,
  hashMerkleLeaf,
  type RecordValue,
  type StoredRecord,
} from "intel-node";

/** Chain of the seals: one record per hour. */
export const SEALS = "seals";
/** Kind of the signed statement over a seal. */
export const SIGNED_SEAL = "seal";

/** What is sealed: products whose answer without parameters everybody may buy. */
export const SEALED_PRODUCTS = ["/fear-greed", "/mempool", "/regime", "/oracle-consensus", "/sanctions"] as const;

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Seal = Type.Object(
  {
    v: Type.Literal(1),
    seq: Type.Integer({ minimum: 1 }),
    prev_hash: Hash,
    root: Hash,
    leaf_count: Type.Integer({ minimum: 1 }),
    sealed_at: Type.String({ maxLength: 30 }),
  },
  { additionalProperties: false },
);
const Leaf = Type.Object({ product: Type.String(), as_of: Type.String(), leaf_hash: Hash });
const Beside = Type.Object({ signature: Type.String(), leaves: Type.Array(Leaf, { maxItems: 100 }) });
const checkSeal = compileSchema(Seal);
const checkBeside = compileSchema(Beside);

export type SealLeaf = Static<typeof Leaf>;
export interface StoredSeal extends Static<typeof Seal>, Static<typeof Beside> {
  readonly record_hash: string;
}

/** @throws TypeError when the ledger holds what this version does not understand. */
export function readSeal({ record, record_hash, beside }: StoredRecord): StoredSeal {
  if (!checkSeal.Check(record) || !checkBeside.Check(beside)) {
    throw new TypeError("a record of the chain of seals does not match its schema");
  }
  return { ...record, ...beside, record_hash };
}

/** The hash of one answer: SHA-256 over a zero byte and its canonical JSON (RFC 8785, RFC 6962). */
export const hashItem = (item: { readonly product: string; readonly as_of: string; readonly data: unknown }): string =>
  hashMerkleLeaf(canonicalJSON(item));

/** The root over leaves, in their order. */
export const rootOf = (leaves: readonly SealLeaf[]): string =>
  createMerkleTree(leaves.map(({ leaf_hash }) => leaf_hash)).root();

/** A list of leaves as a record keeps it. */
export const toRecordValue = (leaves: readonly SealLeaf[]): RecordValue => leaves.map((leaf) => ({ ...leaf }));
