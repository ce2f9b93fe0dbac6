import type { Database } from "bun:sqlite";
import type { Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { sha256Hex } from "../core/hash.ts";
import {
  assertName,
  type ChainHead,
  getGenesis,
  type OutcomeDraft,
  type RecordBody,
  type RecordDraft,
  type RecordQuery,
  type RecordValue,
  renderRecord,
  type StoredOutcome,
  type StoredRecord,
  type WritableRecords,
} from "../records/record-chain.ts";
import { storageFaultOf } from "./storage-errors.ts";
import type { Writer } from "./writer.ts";

/** Records made of simulated markets are kept apart: a reader of one realm never sees the other. */
export type RecordRealm = "live" | "sandbox";

export interface RecordsOptions {
  readonly db: Database;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly realm: RecordRealm;
}

interface Row {
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

const READ_MAX = 1_000;
const DRAFTS_MAX = 200;
const BESIDE_CHARS_MAX = 100_000;

function renderBeside(beside: RecordValue): string {
  const text = JSON.stringify(beside);
  if (text.length > BESIDE_CHARS_MAX) throw new TypeError(`what is kept beside a record has ${text.length} characters`);
  return text;
}

function readOutcome(row: Row): StoredOutcome | null {
  if (row.outcome_json === null || row.outcome_hash === null) return null;
  return {
    outcome: JSON.parse(row.outcome_json),
    outcome_hash: row.outcome_hash,
    beside: JSON.parse(row.outcome_beside_json ?? "null"),
    scored_at_ms: Number(row.scored_at),
  };
}

const readRow = (row: Row): StoredRecord => ({
  seq: Number(row.seq),
  record: JSON.parse(row.record_json),
  record_hash: row.record_hash,
  beside: JSON.parse(row.beside_json),
  recorded_at_ms: Number(row.recorded_at),
  outcome: readOutcome(row),
});

/** @throws TypeError when a record does not state its place, or cannot be hashed alike everywhere. */
function renderLinked(draft: RecordDraft, { length, head }: ChainHead): { seq: number; text: string } {
  const link = { seq: length + 1, prev_hash: head };
  const record = draft.build(link);
  if (record.seq !== link.seq || record.prev_hash !== link.prev_hash) {
    throw new TypeError(`a record of "${draft.chain}" does not state its seq and prev_hash`);
  }
  return { seq: link.seq, text: renderRecord(record) };
}

/** The node's append-only records. The tables themselves refuse changes, gaps and links to the wrong record. */
export function createRecords({ db, writer, clock, realm }: RecordsOptions): WritableRecords {
  const sql = prepareRecords(db);

  const write = async <T>(work: () => T): Promise<T> => {
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
      throw is_ours ? new Error(`a record was refused: ${messageOf(refusal)}`, { cause: refusal }) : error;
    });
  };

  const head = (chain: string): ChainHead => {
    const row = sql.head.get(realm, chain);
    return row ? { length: Number(row.seq), head: row.record_hash } : { length: 0, head: getGenesis(chain) };
  };

  const insert = (draft: RecordDraft): StoredRecord => {
    const { seq, text } = renderLinked(draft, head(draft.chain));
    const record_hash = sha256Hex(text);
    const beside = renderBeside(draft.beside ?? null);
    const recorded_at_ms = clock.now();
    sql.insert.run(realm, draft.chain, seq, text, record_hash, beside, recorded_at_ms);
    const record: RecordBody = JSON.parse(text);
    return { seq, record, record_hash, beside: JSON.parse(beside), recorded_at_ms, outcome: null };
  };

  const settle = ({ chain, seq, outcome, beside = null }: OutcomeDraft): StoredOutcome => {
    const text = renderRecord(outcome);
    const outcome_hash = sha256Hex(text);
    const scored_at_ms = clock.now();
    sql.settle.run(realm, chain, seq, text, outcome_hash, renderBeside(beside), scored_at_ms);
    return { outcome: JSON.parse(text), outcome_hash, beside, scored_at_ms };
  };

  const appendAll = async (drafts: readonly RecordDraft[]): Promise<readonly StoredRecord[]> => {
    if (drafts.length > DRAFTS_MAX) throw new TypeError(`${drafts.length} records in one go`);
    for (const { chain } of drafts) assertName(chain);
    return drafts.length === 0 ? [] : write(() => drafts.map(insert));
  };

  return {
    async head(chain) {
      assertName(chain);
      return head(chain);
    },
    async read(chain, query = {}) {
      assertName(chain);
      return sql.read(realm, chain, query).map(readRow);
    },
    appendAll,
    async append(chain, build, beside = null) {
      const [stored] = await appendAll([{ chain, build, beside }]);
      if (!stored) throw new TypeError("nothing was appended");
      return stored;
    },
    async settle(draft) {
      assertName(draft.chain);
      return write(() => settle(draft));
    },
  };
}

function prepareRecords(db: Database) {
  const select = (order: "ASC" | "DESC") =>
    db.query<Row, [RecordRealm, string, number, number, number, number]>(
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
    read(realm: RecordRealm, chain: string, query: RecordQuery): readonly Row[] {
      const { after_seq = 0, since_ms = 0, open = false, limit = READ_MAX, newest: last = false } = query;
      const statement = last ? newest : oldest;
      const rows = statement.all(realm, chain, after_seq, since_ms, open ? 1 : 0, Math.min(limit, READ_MAX));
      return last ? rows.reverse() : rows;
    },
  };
}
