import { Database, SQLiteError } from "bun:sqlite";
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import type { WritableHistory } from "../catalog/context.ts";
import { messageOf } from "../core/errors.ts";
import { createHistory, SERIES_SCHEMA } from "./history.ts";
import { StoreError } from "./store-error.ts";

/**
 * kept.db: the tables and series plugins declare as kept. It is backed up with the ledger, and nothing of it can be had
 * again: unlike market.db it is never moved away or made anew.
 */
export interface KeptDb {
  readonly db: Database;
  readonly history: WritableHistory;
  close(): void;
}

/** "ikdb" in ASCII. */
const APPLICATION_ID = 0x696b6462;
const SCHEMA_VERSION = 1;

/** What versions the tables of plugins have; in market.db, too. */
export const TABLES_SCHEMA =
  "CREATE TABLE IF NOT EXISTS stored_tables (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT;";

const SCHEMA = `
  ${SERIES_SCHEMA}
  ${TABLES_SCHEMA}
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

const readPragma = (db: Database, name: string): unknown =>
  Object.values(db.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get() ?? {})[0];

const countTables = (db: Database): number =>
  db.query<{ n: number }, []>("SELECT count(*) AS n FROM sqlite_schema").get()?.n ?? 0;

/** What is lost, and the smallest cure: to restore a backup whole would throw away the sales since. */
const damaged = (file: string, why: string, options?: ErrorOptions): StoreError =>
  new StoreError(
    `${file} is damaged (${why}). It holds what plugins sampled, which no source gives again, and no money: the ` +
      "books are in another file. Move it away with its -wal and -shm; put the newest *.kept.db of your backups " +
      "there as kept.db, or nothing: then plugins sample anew.",
    options,
  );

/** @throws StoreError when an open file is damaged, of another program or of a newer version of the node. */
export function assertKept(db: Database, file: string): void {
  const tables = countTables(db);
  if (tables > 0 && readPragma(db, "application_id") !== APPLICATION_ID) {
    throw new StoreError(`${file} belongs to another program: move it away`);
  }
  const version = Number(readPragma(db, "user_version"));
  if (version > SCHEMA_VERSION) {
    throw new StoreError(`${file} has schema ${version}, which a newer intel-node wrote: start that one`);
  }
  const check = readPragma(db, "quick_check(1)");
  if (check !== "ok") throw damaged(file, String(check));
}

function prepare(db: Database, file: string, is_simulated: boolean): void {
  // Before WAL: switching while another process opens the file fails at once without a timeout.
  db.run("PRAGMA busy_timeout = 5000");
  db.run("PRAGMA trusted_schema = OFF");
  assertKept(db, file);
  db.run("PRAGMA journal_mode = WAL");
  // What is in it cannot be had again: a power cut must not take it. What is simulated is not worth the wait.
  db.run(`PRAGMA synchronous = ${is_simulated ? "NORMAL" : "FULL"}`);
  if (countTables(db) === 0) db.transaction(() => db.run(SCHEMA)).immediate();
}

/**
 * Opens kept.db, making it when it does not exist. ":memory:" keeps nothing.
 * @param options.is_simulated whether it is a sandbox's, of which a power cut may take the last moments.
 * @throws StoreError when the file is damaged, of another program or of a newer version of the node; it stays as it is.
 */
export function openKeptDb(file: string, { is_simulated = false } = {}): KeptDb {
  // SQLite fills an empty file, so that no moment exists in which others can read it.
  if (file !== ":memory:" && !existsSync(file)) closeSync(openSync(file, "a", 0o600));
  if (file !== ":memory:") chmodSync(file, 0o600);
  const db = new Database(file, { create: true, strict: true });
  try {
    prepare(db, file, is_simulated);
  } catch (error) {
    db.close();
    if (error instanceof SQLiteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code ?? "")) {
      throw damaged(file, messageOf(error), { cause: error });
    }
    throw error;
  }
  return { db, history: createHistory(db), close: () => db.close() };
}
