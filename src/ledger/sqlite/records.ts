import type { Database } from "bun:sqlite";
import { type ChainHead, getGenesis, type RecordQuery } from "../../records/record-chain.ts";
import {
  READ_MAX,
  type RecordCommands,
  type RecordQueries,
  type RecordRealm,
  type RecordStored,
  readRow,
  refused,
} from "../records.ts";
import { storageFaultOf } from "../storage-errors.ts";
import type { Writer } from "../writer.ts";

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
