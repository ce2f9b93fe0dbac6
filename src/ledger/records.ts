import type { Database } from "bun:sqlite";
import { messageOf } from "../core/errors.ts";
import {
  type ChainHead,
  getGenesis,
  type RecordQuery,
  type StoredOutcome,
  type StoredRecord,
} from "../records/record-chain.ts";
import type { Promised } from "./promised.ts";
import { storageFaultOf } from "./storage-errors.ts";
import type { Writer } from "./writer.ts";

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
   * All of them or none, each at the end of its chain.
   * @returns false when a chain has moved on since its head was read: then nothing was written.
   */
  append(realm: RecordRealm, records: readonly PlacedRecord[]): Promise<boolean>;
  /** @throws Error when there is no such record, or it was stated before what became of it. */
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

export function createRecordQueries(db: Database): RecordQueries {
  const sql = prepareRecords(db);
  return {
    head(realm, chain) {
      const row = sql.head.get(realm, chain);
      return row ? { length: Number(row.seq), head: row.record_hash } : { length: 0, head: getGenesis(chain) };
    },
    read: (realm, chain, query) => sql.read(realm, chain, query).map(readRow),
  };
}

/** The tables themselves refuse changes, gaps and links to the wrong record. */
export function createRecordCommands({
  db,
  writer,
}: {
  readonly db: Database;
  readonly writer: Writer;
}): RecordCommands {
  const sql = prepareRecords(db);
  const { head } = createRecordQueries(db);

  const write = <T>(work: () => T): Promise<T> => {
    let refusal: unknown = null;
    const attempt = () => {
      try {
        return work();
      } catch (error) {
        refusal = error;
        throw error;
      }
    };
    return writer.write(attempt).catch((error: unknown) => {
      // A record that is refused is a fault of its maker, and no reason to speak of the disk.
      const is_ours = refusal !== null && storageFaultOf(refusal) === null;
      throw is_ours ? refused(refusal) : error;
    });
  };

  return {
    append: (realm, records) =>
      write(() => {
        const lengths = new Map<string, ChainHead>();
        for (const { chain, seq, prev_hash, record_hash } of records) {
          const last = lengths.get(chain) ?? head(realm, chain);
          if (last.length + 1 !== seq || last.head !== prev_hash) return false;
          lengths.set(chain, { length: seq, head: record_hash });
        }
        for (const { chain, seq, text, record_hash, beside_json, recorded_at_ms } of records) {
          sql.insert.run(realm, chain, seq, text, record_hash, beside_json, recorded_at_ms);
        }
        return true;
      }),
    settle: (realm, { chain, seq, text, outcome_hash, beside_json, scored_at_ms }) =>
      write(() => void sql.settle.run(realm, chain, seq, text, outcome_hash, beside_json, scored_at_ms)),
  };
}

export const refused = (cause: unknown): Error => new Error(`a record was refused: ${messageOf(cause)}`, { cause });

function prepareRecords(db: Database) {
  const select = (order: "ASC" | "DESC") =>
    db.query<RecordStored, [RecordRealm, string, number, number, number, number]>(
      `SELECT r.seq, record_json, record_hash, r.beside_json, recorded_at, outcome_json, outcome_hash,
         o.beside_json AS outcome_beside_json, scored_at
       FROM records r LEFT JOIN record_outcomes o ON o.realm = r.realm AND o.chain = r.chain AND o.seq = r.seq
       WHERE r.realm = ?1 AND r.chain = ?2 AND r.seq > ?3 AND recorded_at >= ?4 AND (?5 = 0 OR outcome_json IS NULL)
       ORDER BY r.seq ${order} LIMIT ?6`,
    );
  const [oldest, newest] = [select("ASC"), select("DESC")];
  return {
    head: db.query<{ seq: bigint; record_hash: string }, [RecordRealm, string]>(
      "SELECT seq, record_hash FROM records WHERE realm = ? AND chain = ? ORDER BY seq DESC LIMIT 1",
    ),
    insert: db.query(
      `INSERT INTO records (realm, chain, seq, record_json, record_hash, beside_json, recorded_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    settle: db.query(
      `INSERT INTO record_outcomes (realm, chain, seq, outcome_json, outcome_hash, beside_json, scored_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    read(realm: RecordRealm, chain: string, query: RecordQuery): readonly RecordStored[] {
      const { after_seq = 0, since_ms = 0, open = false, limit = READ_MAX, newest: last = false } = query;
      const statement = last ? newest : oldest;
      const rows = statement.all(realm, chain, after_seq, since_ms, open ? 1 : 0, Math.min(limit, READ_MAX));
      return last ? rows.reverse() : rows;
    },
  };
}
