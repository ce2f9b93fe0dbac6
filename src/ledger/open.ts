import { Database } from "bun:sqlite";
import { messageOf, NodeError } from "../core/errors.ts";
import books from "./migrations/001-books.sql" with { type: "text" };
import keys from "./migrations/002-keys.sql" with { type: "text" };

/** In order; the position is the schema version. Never edit one that was released: add the next. */
const MIGRATIONS: readonly string[] = [books, keys];

/** Written into the file's header, so that a foreign SQLite file is refused ("inkL"). */
const APPLICATION_ID = 0x696e6b4c;
const JOURNAL_BYTES_MAX = 64 * 1024 * 1024;
/** A checkpoint copies every changed page once, however often it changed: the rarer, the cheaper a commit. 40 MB. */
const CHECKPOINT_PAGES = 10_000;
const CACHE_KIB = 16_384;

export class LedgerOpenError extends Error {
  override readonly name = "LedgerOpenError";
}

/**
 * Opens the ledger file and brings it to this version's schema, each migration in one db transaction, so that one that
 * fails leaves the file as it was.
 * @throws LedgerOpenError when the file is foreign, damaged or newer than this program.
 */
export function openLedgerFile(file: string, options: { readonly?: boolean } = {}): Database {
  const readonly = options.readonly ?? false;
  try {
    const db = readonly
      ? new Database(file, { readonly: true, safeIntegers: true })
      : new Database(file, { create: true, safeIntegers: true });
    // Before WAL: otherwise two processes that open at once die of "database is locked".
    db.run("PRAGMA busy_timeout = 5000");
    if (!readonly) {
      db.run("PRAGMA journal_mode = WAL");
      db.run("PRAGMA synchronous = FULL");
      db.run(`PRAGMA journal_size_limit = ${JOURNAL_BYTES_MAX}`);
      db.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      db.run(`PRAGMA cache_size = -${CACHE_KIB}`);
    }
    db.run("PRAGMA trusted_schema = OFF");
    // A migration may rebuild a table that others refer to; the references are checked before it is committed.
    db.run("PRAGMA foreign_keys = OFF");
    migrate(db, { file, readonly });
    db.run("PRAGMA foreign_keys = ON");
    return db;
  } catch (error) {
    if (error instanceof LedgerOpenError) throw error;
    throw new LedgerOpenError(
      `${file} cannot be opened as a ledger: ${messageOf(error)}. The node never replaces a ledger by itself: ` +
        "restore a backup, or name another [data] dir.",
      { cause: error },
    );
  }
}

const pragma = (db: Database, name: string): number => {
  const row = db.query(`PRAGMA ${name}`).get() as Record<string, bigint> | null;
  return Number(row ? Object.values(row)[0] : 0);
};

function migrate(db: Database, { file, readonly }: { file: string; readonly: boolean }): void {
  const version = pragma(db, "user_version");
  const application = pragma(db, "application_id");
  const tables = db.query("SELECT count(*) AS n FROM sqlite_schema").get() as { n: bigint };
  const fresh = version === 0 && tables.n === 0n;
  if (!fresh && application !== APPLICATION_ID) throw new LedgerOpenError(`${file} is not an intel-node ledger`);
  if (version > MIGRATIONS.length) {
    throw new LedgerOpenError(
      `${file} has schema ${version}, this program knows ${MIGRATIONS.length}: it was written by a newer version`,
    );
  }
  if (readonly) {
    if (version < MIGRATIONS.length) throw new LedgerOpenError(`${file} has not been migrated: start the node once`);
    return;
  }
  for (let next = version; next < MIGRATIONS.length; next++) {
    db.transaction(() => {
      db.run(MIGRATIONS[next] as string);
      const dangling = db.query("PRAGMA foreign_key_check").get();
      if (dangling) throw new LedgerOpenError(`${file}: migration ${next + 1} would leave a dangling reference`);
      db.run(`PRAGMA application_id = ${APPLICATION_ID}`);
      db.run(`PRAGMA user_version = ${next + 1}`);
    }).immediate();
  }
}

/**
 * Takes the data directory for this process. SQLite's file lock is used because the system drops it when the process
 * dies, however it dies.
 * @returns a function that gives the directory back.
 * @throws NodeError ledger_unavailable when another process holds it.
 */
export function lockDataDirectory(directory: string): () => void {
  const db = new Database(`${directory}/lock.db`, { create: true });
  try {
    db.run("PRAGMA busy_timeout = 0");
    db.run("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    throw new NodeError("ledger_unavailable", `Another intel-node is using ${directory}.`, { cause: error });
  }
  return () => db.close();
}
