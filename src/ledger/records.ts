import { messageOf } from "../core/errors.ts";
import type { ChainHead, RecordQuery, StoredOutcome, StoredRecord } from "../records/record-chain.ts";
import type { Promised } from "./promised.ts";

/** Records made of simulated markets are kept apart: a reader of one realm never sees the other. */
export type RecordRealm = "live" | "sandbox";

/** A record that knows its place: what the books keep. */
export interface PlacedRecord {
  readonly chain: string;
  readonly seq: number;
  readonly prev_hash: string;
  /** Canonical JSON. */
  readonly text: string;
  readonly record_hash: string;
  readonly beside_json: string;
  readonly recorded_at_ms: number;
}

/** What became of one. */
export interface PlacedOutcome {
  readonly chain: string;
  readonly seq: number;
  /** Canonical JSON. */
  readonly text: string;
  readonly outcome_hash: string;
  readonly beside_json: string;
  readonly scored_at_ms: number;
}

export interface RecordQueries {
  head(realm: RecordRealm, chain: string): ChainHead;
  read(realm: RecordRealm, chain: string, query: RecordQuery): readonly StoredRecord[];
}

export interface RecordCommands {
  /**
   * All of them or nothing, each at the end of its chain.
   * @returns false when a chain has moved on since its head was read: then nothing was written.
   */
  append(realm: RecordRealm, records: readonly PlacedRecord[]): Promise<boolean>;
  /** @throws Error when there is no such record, or it was stated before its outcome. */
  settle(realm: RecordRealm, outcome: PlacedOutcome): Promise<void>;
}

export type RecordBooks = RecordCommands & Promised<RecordQueries>;

/** A record as either engine gives it. */
export interface RecordStored {
  seq: bigint;
  record_json: string;
  record_hash: string;
  beside_json: string;
  recorded_at: bigint;
  outcome_json: string | null;
  outcome_hash: string | null;
  outcome_beside_json: string | null;
  scored_at: bigint | null;
}

export const READ_MAX = 1_000;

function readOutcome(row: RecordStored): StoredOutcome | null {
  if (row.outcome_json === null || row.outcome_hash === null) return null;
  return {
    outcome: JSON.parse(row.outcome_json),
    outcome_hash: row.outcome_hash,
    beside: JSON.parse(row.outcome_beside_json ?? "null"),
    scored_at_ms: Number(row.scored_at),
  };
}

export const readRow = (row: RecordStored): StoredRecord => ({
  seq: Number(row.seq),
  record: JSON.parse(row.record_json),
  record_hash: row.record_hash,
  beside: JSON.parse(row.beside_json),
  recorded_at_ms: Number(row.recorded_at),
  outcome: readOutcome(row),
});

export const refused = (cause: unknown): Error => new Error(`a record was refused: ${messageOf(cause)}`, { cause });
