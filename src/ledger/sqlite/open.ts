import { Database } from "bun:sqlite";
import { existsSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isNodeError, messageOf, NodeError } from "../../core/errors.ts";
import { finishPutBack } from "../put-back.ts";
import { sqliteCodeOf } from "../storage-errors.ts";
import { BUSY_MS, syncPath } from "./files.ts";
import { assertOurs, LedgerOpenError, migrateLedger } from "./migrate.ts";

/** Held by a node while another process takes its place. */
const HANDOVER_LOCK = "handover-lock.db";
/** Folder inside a data folder in which a restore works until it has proved the books. */
export const RESTORING = ".restoring";

const JOURNAL_BYTES_MAX = 64 * 1024 * 1024;
/** A checkpoint copies every changed page once, however often it changed: the rarer, the cheaper a commit. */
const CHECKPOINT_BYTES = 40_000_000;
/**
 * Of a new file. A call by key changes one row each on some three pages that no other call of the same commit touches,
 * and the whole page is written: small ones are a quarter of the bytes (docs/performance.md).
 */
const PAGE_BYTES = 1_024;
const CACHE_KIB = 65_536;

export interface OpenOptions {
  readonly readonly?: boolean;
  /** NORMAL loses what was acknowledged when the power fails: only for the test that shows that it would notice. */
  readonly synchronous?: "FULL" | "NORMAL";
}

/**
 * Opens the ledger file and brings it to this version's schema.
 * @throws LedgerOpenError when the file is foreign, damaged or newer than this program.
 */
export function openLedgerFile(file: string, options: OpenOptions = {}): Database {
  const { readonly = false, synchronous = "FULL" } = options;
  let db: Database | null = null;
  let is_new = false;
  try {
    assertWhole(file);
    is_new = !readonly && !existsSync(file);
    if (!readonly) assertLogOurs(file);
    db = readonly
      ? new Database(file, { readonly: true, safeIntegers: true })
      : new Database(file, { create: true, safeIntegers: true });
    // Before WAL: otherwise two processes that open at once die of "database is locked".
    db.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
    // Before anything is written: a foreign file is left as it is.
    assertOurs(db, file);
    if (!readonly) {
      if (is_new) db.run(`PRAGMA page_size = ${PAGE_BYTES}`);
      db.run("PRAGMA journal_mode = WAL");
      db.run(`PRAGMA synchronous = ${synchronous}`);
      db.run(`PRAGMA journal_size_limit = ${JOURNAL_BYTES_MAX}`);
      db.run(`PRAGMA wal_autocheckpoint = ${Math.floor(CHECKPOINT_BYTES / pageBytesOf(db))}`);
      db.run(`PRAGMA cache_size = -${CACHE_KIB}`);
    }
    db.run("PRAGMA trusted_schema = OFF");
    migrateLedger(db, { file, readonly });
    db.run("PRAGMA foreign_keys = ON");
    if (is_new) syncFolderName(dirname(file));
    return db;
  } catch (error) {
    db?.close();
    // A first start that found no room must not look like a ledger that was cut off.
    if (is_new && existsSync(file) && statSync(file).size === 0) rmSync(file);
    throw toOpenError(file, error);
  }
}

const pageBytesOf = (db: Database): number =>
  Number(db.query<{ page_size: bigint }, []>("PRAGMA page_size").get()?.page_size ?? PAGE_BYTES);

/** What an error at the opening means for the operator. */
export const toOpenError = (file: string, error: unknown): LedgerOpenError =>
  error instanceof LedgerOpenError
    ? error
    : new LedgerOpenError(
        `${file} cannot be opened as a ledger: ${messageOf(error)}. The node never replaces a ledger on its own: ` +
          "restore a backup, or name another [data] dir.",
        { cause: error },
      );

/**
 * SQLite reads a write-ahead log as part of the file beside it, and closing a file writes its log into it. A reader,
 * which writes nothing, therefore checks first whether the two together are a ledger.
 */
function assertLogOurs(file: string): void {
  const log = `${file}-wal`;
  if (!existsSync(file) || !existsSync(log) || statSync(log).size === 0) return;
  const db = new Database(file, { readonly: true, safeIntegers: true });
  try {
    assertOurs(db, file);
  } catch (error) {
    // A reader may not end what was cut off in the first moments of a ledger: that is left to the writer.
    if (/^SQLITE_(?:READONLY|CANTOPEN)/.test(sqliteCodeOf(error))) return;
    throw error;
  } finally {
    db.close();
  }
}

/** SQLite syncs the names in the folder; the folder's own name, which may be as new, is in the folder above it. */
function syncFolderName(folder: string): void {
  try {
    syncPath(dirname(resolve(folder)), "folder");
  } catch (error) {
    // A folder of somebody else's need not be readable: then it is not new either.
    if (!(error instanceof Error && "code" in error && error.code === "EACCES")) throw error;
  }
}

/** A ledger that was cut off, one of which only the log is left, and a restore that did not end are no first start. */
function assertWhole(file: string): void {
  if (existsSync(file)) {
    if (statSync(file).size > 0) return;
    throw new LedgerOpenError(
      `${file} is empty: it was cut off. Restore a backup; remove the file only if this node has never sold anything.`,
    );
  }
  const log = `${file}-wal`;
  if (existsSync(log) && statSync(log).size > 0) {
    throw new LedgerOpenError(
      `${file} is not there, but ${log}, with a part of its books, is: a new ledger would erase that log. Put the ` +
        "file back beside it, or move the log away and restore a backup.",
    );
  }
  if (existsSync(join(dirname(file), RESTORING))) {
    throw new LedgerOpenError(`A restore into ${dirname(file)} did not finish. Run it again: intel-node restore.`);
  }
}

export interface LockOptions {
  /** The process was started by the node whose place it takes: it is let in between the two. */
  readonly is_successor?: boolean;
}

/**
 * Takes the data directory for this process, and finishes what a hand-over that was cut off left undone in it.
 * @returns a function that gives the directory back.
 * @throws NodeError ledger_unavailable when another process holds it, or when its lock cannot be taken for writing.
 */
export function lockDataDirectory(directory: string, { is_successor = false }: LockOptions = {}): () => void {
  const unlock = takeLock(directory, "lock.db");
  try {
    // Between two processes of a node the folder is free for a moment, but must not be taken by others.
    if (!is_successor && existsSync(join(directory, HANDOVER_LOCK))) takeLock(directory, HANDOVER_LOCK)();
    finishPutBack(join(directory, "ledger.db"));
    return unlock;
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Whether the folder could not be taken because a node runs on it, and not for another reason. */
export const isHeldByNode = (error: unknown): boolean =>
  isNodeError(error) && error.code === "ledger_unavailable" && error.options.details?.is_held === true;

/**
 * Keeps everybody but a successor from taking the data directory, until the returned function is called: what another
 * command wrote between two processes of a node would not be in the copy that is put back.
 * @throws NodeError ledger_unavailable as above.
 */
export const lockHandover = (directory: string): (() => void) => takeLock(directory, HANDOVER_LOCK);

/** SQLite's file lock is used because the system drops it when the process dies, however it dies. */
function takeLock(directory: string, name: string): () => void {
  const db = new Database(join(directory, name), { create: true });
  try {
    db.run("PRAGMA busy_timeout = 0");
    db.run("BEGIN EXCLUSIVE");
    // A file that this user may only read is silently opened for reading, and such a lock keeps no process out.
    db.run("PRAGMA user_version = 1");
  } catch (error) {
    db.close();
    const is_held = /^SQLITE_BUSY/.test(sqliteCodeOf(error));
    const message = is_held
      ? `Another intel-node is using ${directory}.`
      : `${directory}/${name} cannot be written by this user, so nothing keeps a second node out: ${messageOf(error)}`;
    throw new NodeError("ledger_unavailable", message, { cause: error, details: { is_held } });
  }
  return () => db.close();
}
