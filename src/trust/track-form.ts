import { type Static, Type } from "@sinclair/typebox";
import { compileSchema } from "../core/compile-schema.ts";

/** Limit of one file, which may be an answer or all pages of the free evidence. */
const RECORDS_MAX = 200_000;
const HASHES_MAX = 20_000;

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Decimal = Type.String({ pattern: "^-?[0-9]{1,15}(\\.[0-9]{1,18})?$" });
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });
const Place = Type.Integer({ minimum: 1, maximum: 1_000_000_000 });
const Time = Type.String({ maxLength: 40 });

const Signal = Type.Object({
  seq: Place,
  model_id: Type.String(),
  side: Type.Union([Type.Literal("long"), Type.Literal("short"), Type.Literal("none")]),
  horizon_h: Type.Integer({ minimum: 1 }),
  emitted_at: Time,
  cost_bps: Decimal,
  prev_hash: Hash,
});
const Scored = Type.Object({
  seq: Place,
  record_hash: Hash,
  status: Type.Literal("scored"),
  entry_at: Time,
  entry_price: Decimal,
  exit_at: Time,
  exit_price: Decimal,
  gross_bps: Decimal,
  net_bps: Decimal,
  hit: Type.Boolean(),
});
const Unscorable = Type.Object({ seq: Place, record_hash: Hash, status: Type.Literal("unscorable") });
const Row = Type.Object({
  record: Signal,
  record_hash: Hash,
  outcome: Type.Union([Scored, Unscorable, Type.Null()]),
  outcome_hash: Type.Union([Hash, Type.Null()]),
  /** Position in the log of outcomes; absent in earlier statements. */
  outcome_seq: Type.Optional(Type.Union([Place, Type.Null()])),
});
const Rows = Type.Array(Row, { maxItems: RECORDS_MAX });
const Payload = Type.Object({
  kind: Type.Union([Type.Literal("win-rate-verified"), Type.Literal("theses")]),
  node_id: Type.String(),
  key_id: Type.String(),
  model_id: Type.String(),
  chain_head: Hash,
  chain_length: Count,
  outcomes_root: Hash,
  records_root: Type.Optional(Hash),
  outcome_log_size: Type.Optional(Count),
  outcome_log_root: Type.Optional(Hash),
  n_emitted: Type.Optional(Count),
  n_open: Type.Optional(Count),
  n_unscorable: Type.Optional(Count),
  n_scored: Count,
  wins: Count,
  sum_net_bps: Decimal,
});
const statement = {
  payload: Payload,
  payload_canonical: Type.String({ maxLength: 10_000 }),
  signature: Type.String({ maxLength: 200 }),
};
const Hashes = Type.Array(Hash, { maxItems: HASHES_MAX });
const Answer = Type.Object({
  data: Type.Object({
    ...statement,
    records: Type.Union([Rows, Type.Null()]),
    proof: Type.Optional(Type.Union([Type.Object({ records: Hashes, outcomes: Hashes }), Type.Null()])),
  }),
});
const Evidence = Type.Object({ statement: Type.Object(statement), records: Rows });
const checkAnswer = compileSchema(Answer);
const checkEvidence = compileSchema(Evidence);

export type TrackRow = Static<typeof Row>;
export type TrackPayload = Static<typeof Payload>;
export type ScoredRow = TrackRow & { readonly outcome: Static<typeof Scored>; readonly outcome_hash: string };

/** A signed statement with its shown records, from any door. */
export interface TrackDocument {
  readonly payload: TrackPayload;
  readonly payload_canonical: string;
  readonly signature: string;
  /** Null in a preview, which withholds the records. */
  readonly rows: readonly TrackRow[] | null;
  /** The hashes needed besides the rows to compute the signed roots; null if they are absent. */
  readonly proof: { readonly records: readonly string[]; readonly outcomes: readonly string[] } | null;
  /** Unsigned figures of the answer, which must not contradict the signed ones. */
  readonly unsigned: unknown;
}

/** The shown records, in the order of the chain. */
export interface ShownRecord {
  readonly document: TrackDocument;
  readonly rows: readonly TrackRow[];
  readonly by_seq: ReadonlyMap<number, TrackRow>;
}

/** A chain head kept earlier: the record with this number must still have this hash. */
export interface KeptHead {
  readonly length: number;
  readonly head: string;
  /** The roots signed with it, if they were kept too. */
  readonly records_root?: string;
  readonly outcome_log_size?: number;
  readonly outcome_log_root?: string;
}

/** Reads an answer of a product or of /track-record/evidence. @returns the reason if it is neither */
export function readTrackDocument(value: unknown): TrackDocument | string {
  if (checkEvidence.Check(value)) {
    const { payload, payload_canonical, signature } = value.statement;
    return { payload, payload_canonical, signature, rows: value.records, proof: null, unsigned: null };
  }
  if (checkAnswer.Check(value)) {
    const { payload, payload_canonical, signature, records: rows, proof = null } = value.data;
    return { payload, payload_canonical, signature, rows, proof, unsigned: value.data };
  }
  const is_evidence = typeof value === "object" && value !== null && "statement" in value;
  const fault = (is_evidence ? checkEvidence : checkAnswer).Errors(value).First();
  return `${fault?.path || "the document"}: ${fault?.message}`;
}

export const isScored = (row: TrackRow): row is ScoredRow =>
  row.outcome?.status === "scored" && row.outcome_hash !== null;

const Kept = Type.Object({
  chain_length: Place,
  chain_head: Hash,
  records_root: Hash,
  outcome_log_size: Count,
  outcome_log_root: Hash,
});
const checkKept = compileSchema(Kept);
const inside = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/** The head in a kept answer, free evidence or signed head; null without one. */
export function readKeptHead(value: unknown): KeptHead | null {
  const places = [
    inside(inside(value, "data"), "payload"),
    inside(inside(value, "statement"), "payload"),
    ...[inside(value, "record"), inside(inside(inside(value, "joined"), "head"), "record"), value],
    // A public timestamp has the heads of all histories; the head of the signals is used.
    ...[value, inside(value, "anchor")].map((one) => inside(inside(inside(one, "record"), "histories"), "signals")),
  ];
  for (const place of places) {
    if (!checkKept.Check(place)) continue;
    const { chain_length: length, chain_head: head, records_root, outcome_log_size, outcome_log_root } = place;
    return { length, head, records_root, outcome_log_size, outcome_log_root };
  }
  return null;
}
