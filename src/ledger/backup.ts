import { existsSync, linkSync, renameSync, rmSync, statSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import type { AuditReport } from "./audit.ts";
import { auditLedger } from "./sqlite/audit.ts";
import { copyLedger, hashFile, syncPath } from "./sqlite/files.ts";
import { openLedgerFile } from "./sqlite/open.ts";

export interface Backup {
  readonly file: string;
  readonly bytes: number;
  /** Of the file, hex. */
  readonly sha256: string;
  readonly audit: AuditReport;
}

/** The books failed the audit: there is no backup. */
export interface RefusedBackup {
  readonly file: null;
  readonly audit: AuditReport;
}

/** "ledger-20261121T093000Z.db": in the order of time when sorted by name. */
export const backupName = (now_ms: number): string =>
  `ledger-${new Date(now_ms).toISOString().replace(/[-:]|\.\d{3}/g, "")}.db`;

/** The copy of kept.db that belongs to a backup of the ledger: "ledger-20261121T093000Z.kept.db". */
export const keptBackupOf = (backup: string): string => `${backup.replace(/\.db$/, "")}.kept.db`;

/**
 * Writes the ledger as it is now into one new file, while a node may be writing to it. The file gets its name only when
 * it is on disk and every rule of the audit holds in it.
 * @throws LedgerOpenError, or Error when the target exists or cannot be written; nothing is left behind then.
 */
export function backupLedger(ledger_file: string, to: string): Backup | RefusedBackup {
  assertFree(to);
  const partial = partialOf(to);
  const db = openLedgerFile(ledger_file, { readonly: true });
  try {
    copyLedger(db, partial);
  } finally {
    db.close();
  }
  try {
    const audit = auditFile(partial);
    if (!audit.ok) return { file: null, audit };
    return giveProvedName(partial, to, audit);
  } finally {
    rmSync(partial, { force: true });
  }
}

/** The file name of a backup until it is proved. */
export const partialOf = (to: string): string => `${to}.partial`;

/** @throws Error when the name is taken, or another backup writes to it. */
export function assertFree(to: string): void {
  if (existsSync(to)) throw new Error(`${to} exists: a backup never overwrites`);
  if (existsSync(partialOf(to))) {
    throw new Error(`${partialOf(to)} exists: another backup is writing it, or one was cut off; then remove it`);
  }
}

export function giveProvedName(partial: string, to: string, audit: AuditReport): Backup {
  const { size: bytes } = statSync(partial);
  const sha256 = hashFile(partial);
  giveName(partial, to);
  return { file: to, bytes, sha256, audit };
}

function auditFile(file: string): AuditReport {
  const db = openLedgerFile(file, { readonly: true });
  try {
    return auditLedger(db);
  } finally {
    db.close();
  }
}

/** Unlike renaming, linking fails when the name was taken in the meantime. Some file systems cannot link. */
export function giveName(partial: string, to: string): void {
  try {
    linkSync(partial, to);
    unlinkSync(partial);
  } catch (cause) {
    if (existsSync(to)) throw new Error(`${to} exists: a backup never overwrites`, { cause });
    renameSync(partial, to);
  }
  syncPath(dirname(to), "folder");
}
