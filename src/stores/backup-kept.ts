import { Database } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { assertKept } from "./kept-db.ts";

function syncFile(path: string): void {
  const descriptor = openSync(path, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Copies kept.db as it is at this moment, while a node may be writing to it; the copy gets its name when it is whole
 * and on disk. Returns false when there is no kept.db yet.
 * @throws Error when the copy cannot be made or is not sound; nothing is left behind then.
 */
export function backupKept(kept_file: string, to: string): boolean {
  if (!existsSync(kept_file)) return false;
  if (existsSync(to)) throw new Error(`${to} exists: a backup never overwrites`);
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  try {
    const db = new Database(kept_file, { readonly: true });
    try {
      db.run("PRAGMA busy_timeout = 5000");
      closeSync(openSync(partial, "wx", 0o600));
      db.query("VACUUM INTO ?").run(partial);
    } finally {
      db.close();
    }
    assertKeptBackup(partial);
    syncFile(partial);
    renameSync(partial, to);
    return true;
  } finally {
    rmSync(partial, { force: true });
  }
}

/** @throws StoreError when a copy of kept.db could not be used by this program. */
export function assertKeptBackup(file: string): void {
  const db = new Database(file, { readonly: true });
  try {
    assertKept(db, file);
  } finally {
    db.close();
  }
}
