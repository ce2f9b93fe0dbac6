import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../core/errors.ts";

/**
 * What an error of SQLite says about the disk below it, or null when the disk is not to blame:
 * `busy` another process holds the file for now; `failing` it cannot be written now; `damaged` its content is wrong.
 */
export type StorageFault = "busy" | "failing" | "damaged";

/** SQLite's name of an error, with its detail: "SQLITE_IOERR_FSYNC". Empty for any other error. */
export function sqliteCodeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && code.startsWith("SQLITE_") ? code : "";
}

export function storageFaultOf(error: unknown): StorageFault | null {
  const code = sqliteCodeOf(error);
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return "busy";
  // A page that should be there and is not: the file was cut off.
  if (/^SQLITE_(?:CORRUPT|NOTADB|IOERR_SHORT_READ|IOERR_CORRUPTFS)/.test(code)) return "damaged";
  return /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|PROTOCOL|NOMEM)/.test(code) ? "failing" : null;
}

/**
 * Whether a COMMIT that failed with this error has certainly left nothing behind. A write that failed means that the
 * commit's last page is not whole, and pages after the last whole commit are never read. A sync that failed says
 * nothing: the whole commit may be on disk all the same.
 */
export const isCertainlyUndone = (error: unknown): boolean =>
  /^SQLITE_(?:FULL|IOERR_WRITE|BUSY|READONLY)/.test(sqliteCodeOf(error));

export const isDiskFull = (error: unknown): boolean => sqliteCodeOf(error).startsWith("SQLITE_FULL");

/** Less than this is as good as full: a page may fit, the next answer will not. */
const ROOM_BYTES = 4 * 1024 * 1024;

/** Whether a file's disk has room again. True when the system does not say: then a write will tell. */
export function hasRoom(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file), { bigint: true });
    return bavail * bsize >= BigInt(ROOM_BYTES);
  } catch (_unsupported) {
    return true;
  }
}

/** In the operator's words. */
export function renderStorageFault(error: unknown): string {
  const code = sqliteCodeOf(error);
  if (code.startsWith("SQLITE_FULL")) return "the disk that holds the ledger is full";
  if (code.startsWith("SQLITE_IOERR")) return `the disk that holds the ledger reports errors (${code})`;
  if (code.startsWith("SQLITE_READONLY")) return `the ledger cannot be written, it is read-only (${code})`;
  return `the ledger cannot be written (${code || "no code"}: ${messageOf(error).slice(0, 200)})`;
}
