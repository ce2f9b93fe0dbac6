import type { Database } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, readSync, rmSync } from "node:fs";
import { dirname } from "node:path";

const CHUNK_BYTES = 1024 * 1024;

/** Waits until a file, or the names in a folder, are on disk. */
export function syncPath(path: string, what: "file" | "folder"): void {
  // Windows has no way to sync a folder, and keeps names itself.
  if (what === "folder" && process.platform === "win32") return;
  const descriptor = openSync(path, what === "file" ? "r+" : "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Copies a ledger as it is at this moment into a new file that only its owner can read, on disk when this returns.
 * Works while another process writes: SQLite reads one snapshot. `db` must not be inside a db transaction.
 * @throws Error of SQLite or the system; nothing is left behind then.
 */
export function copyLedger(db: Database, to: string): void {
  // SQLite fills an empty file, so that no moment exists in which others can read it.
  closeSync(openSync(to, "wx", 0o600));
  try {
    db.query("VACUUM INTO ?").run(to);
    syncPath(to, "file");
    syncPath(dirname(to), "folder");
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  }
}

/** How long a connection to a ledger waits for another process. */
export const BUSY_MS = 5_000;

/** What became of a write-ahead log. */
export interface LogCheckpoint {
  readonly emptied: boolean;
  /** All of it is in the file: the next commit may restart the log. */
  readonly in_file: boolean;
}

/**
 * Writes the write-ahead log into the file and empties it. Readers are not waited for: no call could be charged
 * meanwhile.
 */
export function checkpointLog(db: Database): LogCheckpoint {
  db.run("PRAGMA busy_timeout = 0");
  try {
    const answer = db.query("PRAGMA wal_checkpoint(TRUNCATE)").get() as Record<
      "busy" | "log" | "checkpointed",
      bigint | number
    > | null;
    const emptied = Number(answer?.busy ?? 0) === 0;
    return { emptied, in_file: emptied || Number(answer?.log) === Number(answer?.checkpointed) };
  } finally {
    db.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }
}

/** @returns false when somebody reads an older state: the log then still holds a part of the books. */
export const emptyLog = (db: Database): boolean => checkpointLog(db).emptied;

/** @throws Error when a file that is to be moved alone has a part of its books in the log. */
export function assertLogEmptied(db: Database, file: string): void {
  if (emptyLog(db)) return;
  throw new Error(`${file} is being read by another process, so its log cannot be written into it: end that first`);
}

/** SHA-256 of a file, hex, without reading it whole. */
export function hashFile(path: string): string {
  const hasher = new Bun.CryptoHasher("sha256");
  const chunk = new Uint8Array(CHUNK_BYTES);
  const descriptor = openSync(path, "r");
  try {
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk)) {
      hasher.update(chunk.subarray(0, read));
    }
  } finally {
    closeSync(descriptor);
  }
  return hasher.digest("hex");
}
