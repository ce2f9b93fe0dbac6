import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { messageOf } from "../core/errors.ts";
import type { AuditReport } from "./audit.ts";
import { setAside, stampOf } from "./put-back.ts";
import { auditLedger } from "./sqlite/audit.ts";
import { assertLogEmptied, syncPath } from "./sqlite/files.ts";
import { LedgerOpenError } from "./sqlite/migrate.ts";
import { lockDataDirectory, openLedgerFile, RESTORING } from "./sqlite/open.ts";

const LEDGER = "ledger.db";
/** What a restore that was cut off leaves behind; a node refuses to start on it. */
const LEFTOVERS: ReadonlySet<string> = new Set([RESTORING, "lock.db", "lock.db-journal"]);

/** Further files by the names they get in the data folder; already proved. */
export type FilesBeside = Readonly<Record<string, string>>;

/**
 * Puts a backup into an empty data folder: copied, brought to this program's schema and audited in its own folder,
 * then moved into place. A report that is not ok means that nothing was restored.
 * @throws Error when the folder is not empty or the file is not a sound ledger; the folder is then as it was before.
 */
export function restoreLedger(backup: string, directory: string, beside: FilesBeside = {}): AuditReport {
  assertBackup(backup);
  const made = !existsSync(directory);
  if (!made) assertEmpty(directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  let done = false;
  try {
    const unlock = lockDataDirectory(directory);
    try {
      const report = restoreInto(directory, backup, { beside });
      done = report.ok;
      return report;
    } finally {
      // While it is held, so that no other process can have taken it; Windows cannot remove an open file.
      if (!done && process.platform !== "win32") rmSync(join(directory, "lock.db"), { force: true });
      unlock();
    }
  } finally {
    // Not removed recursively: what somebody else put there meanwhile stays.
    if (!done && made && readdirSync(directory).length === 0) rmdirSync(directory);
  }
}

export interface RestoredOver {
  readonly audit: AuditReport;
  /** The new name of the ledger that was there; null if there was no ledger. */
  readonly set_aside: string | null;
}

/**
 * Puts a ledger into a data folder that may have one: that is set aside with its log, once the other was brought to
 * this program's schema and audited. A report that is not ok means that nothing was changed.
 * @throws Error when a node uses the folder, or the file is not a sound ledger; the ledger there is then as it was.
 */
export function restoreOver(backup: string, directory: string, now_ms: number): RestoredOver {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = lockDataDirectory(directory);
  try {
    const ledger = join(directory, LEDGER);
    const to = `${ledger}.before-restore-${stampOf(now_ms)}`;
    const is_there = existsSync(ledger) || existsSync(`${ledger}-wal`);
    const audit = restoreInto(directory, backup, { beforeMove: () => setAside(ledger, to) });
    return { audit, set_aside: is_there && audit.ok ? to : null };
  } finally {
    unlock();
  }
}

function assertBackup(backup: string): void {
  if (!existsSync(backup) || !statSync(backup).isFile()) throw new Error(`${backup} is not a file`);
  // A live ledger's newest sales are in the file beside it: copying the one without the other would lose them.
  const wal = `${backup}-wal`;
  if (existsSync(wal) && statSync(wal).size > 0) {
    throw new Error(`${backup} is a live ledger, not a backup: make one with "intel-node backup --data <its folder>"`);
  }
}

function assertEmpty(directory: string): void {
  if (!statSync(directory).isDirectory()) throw new Error(`${directory} is not a folder`);
  const found = readdirSync(directory).filter((name) => !LEFTOVERS.has(name));
  if (found.length === 0) return;
  throw new Error(`${directory} is not empty (${found.slice(0, 3).join(", ")}): a restore needs an empty folder`);
}

interface RestoreSteps {
  readonly beside?: FilesBeside;
  /** Once the books are proved. */
  readonly beforeMove?: () => void;
}

function restoreInto(directory: string, backup: string, { beside = {}, beforeMove }: RestoreSteps): AuditReport {
  const work = join(directory, RESTORING);
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { mode: 0o700 });
  syncPath(directory, "folder");
  try {
    const file = join(work, LEDGER);
    copyFileSync(backup, file);
    // A node that began to write to it meanwhile has the newest sales in its log.
    assertBackup(backup);
    chmodSync(file, 0o600);
    for (const [name, from] of Object.entries(beside)) {
      copyFileSync(from, join(work, name));
      chmodSync(join(work, name), 0o600);
    }
    const report = proveCopy(file, backup);
    if (!report.ok) return report;
    beforeMove?.();
    moveIntoPlace(work, directory);
    return report;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Opens the copy as a node would, which migrates an older one, and audits it. */
function proveCopy(file: string, backup: string): AuditReport {
  try {
    const db = openLedgerFile(file);
    try {
      const report = auditLedger(db);
      // Only the file is moved into place.
      assertLogEmptied(db, file);
      return report;
    } finally {
      db.close();
    }
  } catch (error) {
    throw new LedgerOpenError(messageOf(error).replaceAll(file, backup), { cause: error });
  }
}

/** The ledger itself comes last: while it is not there, the folder is one that a node refuses. */
function moveIntoPlace(work: string, directory: string): void {
  const names = readdirSync(work).filter((name) => !/-(?:wal|shm)$/.test(name));
  names.sort((a, b) => Number(a === LEDGER) - Number(b === LEDGER));
  for (const name of names) {
    syncPath(join(work, name), "file");
    renameSync(join(work, name), join(directory, name));
  }
  syncPath(directory, "folder");
  syncPath(dirname(resolve(directory)), "folder");
}
