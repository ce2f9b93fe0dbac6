import { type Static, Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";
import { nodeIdOf } from "../core/identity.ts";
import { isSignedText } from "../records/signed-text.ts";
import { HEAD_CHAINS, SIGNED_HISTORY_HEAD } from "./history-heads.ts";
import { statementOf } from "./receipt-seals.ts";
import type { KeptHead } from "./track-form.ts";

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const HeadRecord = Type.Object({
  node_id: Type.String({ pattern: "^[A-Za-z0-9]{1,80}$" }),
  of: Type.Union(HEAD_CHAINS.map((chain) => Type.Literal(chain))),
  chain_length: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  chain_head: Hash,
  records_root: Hash,
  outcome_log_size: Count,
  outcome_log_root: Hash,
  signed_at: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,3})?Z$" }),
});
const checkHead = compileSchema(
  Type.Object({
    record: HeadRecord,
    signature: Type.String({ pattern: "^[A-Za-z0-9_-]{86}$" }),
    public_key: Type.String({ pattern: "^[A-Za-z0-9_-]{43}$" }),
  }),
);

/** A head of a history, signed by the key in it, which also gives the node its id. */
export interface SignedHead {
  readonly record: Static<typeof HeadRecord>;
  readonly signature: string;
  readonly public_key: string;
}

/**
 * A contradiction between two signed heads of a node. "fork": same length, different roots. "shrunk": the later head
 * has a shorter history. The heads alone show these two. "unjoined": the node cannot prove that one continues the
 * other, which anyone can request.
 */
export type Contradiction = "fork" | "shrunk" | "unjoined";

/** Tolerance, because nodes on one ledger sign with their own clocks. */
const SKEW_MS = 300_000;

/** Reads a head of any chain with signed heads; null for an invalid value. Any value is safe to read. */
export function readSignedHead(value: unknown): SignedHead | null {
  if (!checkHead.Check(value)) return null;
  const { signature, public_key } = value;
  const { node_id, of, chain_length, chain_head, records_root, outcome_log_size, outcome_log_root, signed_at } =
    value.record;
  if (nodeIdOf(Buffer.from(public_key, "base64url")) !== node_id || Number.isNaN(Date.parse(signed_at))) return null;
  // Other members are dropped, because they are not signed.
  const roots = { records_root, outcome_log_size, outcome_log_root };
  const record = { node_id, of, chain_length, chain_head, ...roots, signed_at };
  const text = statementOf(record);
  return isSignedText({ kind: SIGNED_HISTORY_HEAD, text, signature, public_key })
    ? { record, signature, public_key }
    : null;
}

export const toKeptHead = ({ record }: SignedHead): KeptHead => ({
  length: record.chain_length,
  head: record.chain_head,
  records_root: record.records_root,
  outcome_log_size: record.outcome_log_size,
  outcome_log_root: record.outcome_log_root,
});

/** Whether two heads show the same state of a history, whenever they were signed. */
export const isSameState = ({ record: one }: SignedHead, { record: other }: SignedHead): boolean =>
  one.chain_length === other.chain_length &&
  one.outcome_log_size === other.outcome_log_size &&
  findContradiction({ record: one }, { record: other }) === null;

/** The contradiction between two heads of one history signed by one key, if the heads alone show it. */
export function findContradiction(
  { record: one }: Pick<SignedHead, "record">,
  { record: other }: Pick<SignedHead, "record">,
): Exclude<Contradiction, "unjoined"> | null {
  if (one.chain_length === other.chain_length) {
    if (one.records_root !== other.records_root || one.chain_head !== other.chain_head) return "fork";
  }
  if (one.outcome_log_size === other.outcome_log_size && one.outcome_log_root !== other.outcome_log_root) return "fork";
  const [earlier, later] = Date.parse(one.signed_at) < Date.parse(other.signed_at) ? [one, other] : [other, one];
  if (Date.parse(later.signed_at) - Date.parse(earlier.signed_at) <= SKEW_MS) return null;
  const is_shorter = later.chain_length < earlier.chain_length || later.outcome_log_size < earlier.outcome_log_size;
  return is_shorter ? "shrunk" : null;
}

/** Reads two contradicting signed heads of one history; null for any other value. */
export function readContradiction(
  values: unknown,
): { readonly kind: Contradiction; readonly heads: readonly [SignedHead, SignedHead] } | null {
  if (!Array.isArray(values) || values.length !== 2) return null;
  const [one, other] = values.map(readSignedHead);
  if (!one || !other) return null;
  if (one.record.node_id !== other.record.node_id || one.record.of !== other.record.of) return null;
  const kind = findContradiction(one, other);
  return kind === null ? null : { kind, heads: [one, other] };
}
