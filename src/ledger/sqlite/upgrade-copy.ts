import { Database } from "bun:sqlite";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { AuditFinding } from "../audit.ts";
import { backupLedger } from "../backup.ts";
import { putBack, stampOf, undoneLedgerOf, upgradeCopyOf } from "../put-back.ts";
import { auditLedger } from "./audit.ts";
import { assertLogEmptied, BUSY_MS, hashFile, syncPath } from "./files.ts";
import { LedgerOpenError, MIGRATIONS } from "./migrate.ts";
import { lockDataDirectory, openLedgerFile } from "./open.ts";

/** A ledger as it was before a program with a newer schema took over, proved. */
export interface UpgradeCopy {
  readonly ledger: string;
  readonly file: string;
  /** Time of the copy, as in its name. */
  readonly stamp: string;
  /** Of the copy, hex. */
  readonly sha256: string;
}

/** Runs work on a data folder that no process writes to meanwhile. The hand-over must hold `lockHandover`. */
function withFolder<T>(ledger: string, work: () => T): T {
  const unlock = lockDataDirectory(dirname(ledger), { is_successor: true });
  try {
    return work();
  } finally {
    unlock();
  }
}

const nameFindings = (findings: readonly AuditFinding[]): string =>
  findings
    .slice(0, 3)
    .map(({ rule, message }) => `${rule} ${message}`)
    .join("; ");

/**
 * Copies a ledger that no node has open, its log included, even while it is being read: as backups are made, with every
 * rule of the audit proved on the copy, which has every row of the ledger.
 * @returns null when the books are not in a file.
 * @throws Error when there is no proved copy: then nothing newer may open the ledger.
 */
export function copyForUpgrade(ledger: string, now_ms: number): UpgradeCopy | null {
  if (!existsSync(ledger)) return null;
  return withFolder(ledger, () => {
    const stamp = stampOf(now_ms);
    const made = backupLedger(ledger, upgradeCopyOf(ledger, stamp));
    if (made.file === null) throw new Error(`the books of ${ledger} are broken: ${nameFindings(made.audit.findings)}`);
    prepareLog(made.file);
    const copy = { ledger, file: made.file, stamp, sha256: hashFile(made.file) };
    assertNothingNewer(copy);
    return copy;
  });
}

/**
 * SQLite makes copies without a write-ahead log. If such a copy is put back, a reader that comes before the node keeps
 * that node from starting: giving a file its log takes exclusive access.
 */
function prepareLog(file: string): void {
  readCopy(file, (db) => assertLogEmptied(db, file));
  syncPath(file, "file");
}

/** Reads a copy as a node opens it: one that may not write would leave an empty log beside it. */
function readCopy<T>(file: string, read: (db: Database) => T): T {
  const db = openLedgerFile(file);
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/**
 * Brings a ledger back to the schema of this program after a newer program failed. The copy is proved once more, and
 * put back only when the ledger has no row that it lacks; the ledger is set aside together with its log.
 * @returns the new name of what was set aside; null when the newer program had not touched the schema.
 * @throws Error when the copy must not be put back; then nothing was changed.
 */
export function undoUpgrade(copy: UpgradeCopy): string | null {
  return withFolder(copy.ledger, () => {
    if (readSchema(copy.ledger) <= MIGRATIONS.length) return null;
    assertProved(copy);
    assertNothingNewer(copy);
    putBack(copy.ledger, copy.stamp);
    return undoneLedgerOf(copy.ledger, copy.stamp);
  });
}

/** Removes a copy that is not needed any more: the ledger has all its rows. */
export const dropUpgradeCopy = ({ file }: UpgradeCopy): void => rmSync(file, { force: true });

function readFile<T>(file: string, read: (db: Database) => T): T {
  const db = new Database(file, { readonly: true, safeIntegers: true });
  try {
    db.run(`PRAGMA busy_timeout = ${BUSY_MS}`);
    return read(db);
  } finally {
    db.close();
  }
}

/** The schema of a ledger, which may be a newer one than this program knows. */
export const readSchema = (ledger: string): number =>
  readFile(ledger, (db) => {
    const row = db.query("PRAGMA user_version").get() as { readonly user_version: bigint };
    return Number(row.user_version);
  });

/** @throws Error when the copy is not what it was when it was made. */
function assertProved({ file, sha256 }: UpgradeCopy): void {
  if (hashFile(file) !== sha256) throw new Error(`${file} was changed since it was made`);
  const { ok, findings } = readCopy(file, auditLedger);
  if (!ok) throw new Error(`the books of ${file} are broken: ${nameFindings(findings)}`);
}

/** How many rows a table has, and the highest of its numbers where it numbers them. */
interface TableEnd {
  readonly rows: bigint;
  readonly newest: bigint;
}

/**
 * The end of every table. Ledger time numbers what moves money, and never goes back: a row that was written later has a
 * higher number, also when as many older ones were dropped.
 */
function readEnds(db: Database): ReadonlyMap<string, TableEnd> {
  const tables = db
    .query<{ readonly name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'schema_history'",
    )
    .all();
  const numbers = db.query<{ readonly name: string }, [string]>(
    "SELECT name FROM pragma_table_info(?) WHERE pk = 1 AND type = 'INTEGER'",
  );
  const read = ({ name }: { readonly name: string }): [string, TableEnd] => {
    const number = numbers.get(name)?.name;
    const newest = number === undefined ? "0" : `coalesce(max("${number}"), 0)`;
    return [name, db.query(`SELECT count(*) AS rows, ${newest} AS newest FROM "${name}"`).get() as TableEnd];
  };
  // Of one moment.
  return db.transaction(() => new Map(tables.map(read)))();
}

/**
 * Tables and columns may have changed meanwhile; what a migration added or removed does not count.
 * @throws LedgerOpenError when the ledger has rows that the copy lacks.
 */
function assertNothingNewer({ ledger, file }: UpgradeCopy): void {
  const copied = readCopy(file, readEnds);
  const present = readFile(ledger, readEnds);
  const newer = [...copied].flatMap(([table, { rows, newest }]) => {
    const now = present.get(table);
    return now !== undefined && (now.rows > rows || now.newest > newest) ? [table] : [];
  });
  if (newer.length === 0) return;
  throw new LedgerOpenError(`${ledger} has rows that ${file} lacks, in ${newer.join(", ")}`);
}
