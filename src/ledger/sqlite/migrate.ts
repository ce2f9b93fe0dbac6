import type { Database } from "bun:sqlite";
import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { messageOf } from "../../core/errors.ts";
import { copyLedger, syncPath } from "./files.ts";
import books from "./migrations/001-books.sql" with { type: "text" };
import keys from "./migrations/002-keys.sql" with { type: "text" };
import landings from "./migrations/003-landings.sql" with { type: "text" };
import manifests from "./migrations/004-manifest.sql" with { type: "text" };
import records from "./migrations/005-records.sql" with { type: "text" };
import fairShares from "./migrations/006-fair-shares.sql" with { type: "text" };
import statements from "./migrations/007-statements.sql" with { type: "text" };
import sellingNode from "./migrations/008-selling-node.sql" with { type: "text" };
import leanDebits from "./migrations/009-lean-debits.sql" with { type: "text" };
import cheapChecks from "./migrations/010-cheap-checks.sql" with { type: "text" };
import answerHashes from "./migrations/011-answer-hashes.sql" with { type: "text" };
import livingChildren from "./migrations/012-living-children.sql" with { type: "text" };
import suspendedKeys from "./migrations/013-suspended-keys.sql" with { type: "text" };
import lots from "./migrations/014-lots.sql" with { type: "text" };
import wallets from "./migrations/015-wallets.sql" with { type: "text" };
import channels from "./migrations/016-channels.sql" with { type: "text" };
import metered from "./migrations/017-metered.sql" with { type: "text" };
import givenBack from "./migrations/018-given-back.sql" with { type: "text" };
import corrections from "./migrations/019-corrections.sql" with { type: "text" };
import doors from "./migrations/020-doors.sql" with { type: "text" };
import callDoors from "./migrations/021-call-doors.sql" with { type: "text" };
import authorized from "./migrations/022-authorized.sql" with { type: "text" };
import witnessed from "./migrations/023-witnessed.sql" with { type: "text" };

/** In order; the position is the schema version. Never edit one that was released: add the next. */
export const MIGRATIONS: readonly string[] = [
  books,
  keys,
  landings,
  manifests,
  records,
  fairShares,
  statements,
  sellingNode,
  leanDebits,
  cheapChecks,
  answerHashes,
  livingChildren,
  suspendedKeys,
  lots,
  wallets,
  channels,
  metered,
  givenBack,
  corrections,
  doors,
  callDoors,
  authorized,
  witnessed,
];

/** Written into the file's header, so that a foreign SQLite file is refused ("inkL"). */
const APPLICATION_ID = 0x696e6b4c;
/** Copies of the file as it was before a migration; older ones are removed. */
const COPIES_KEPT = 3;

export class LedgerOpenError extends Error {
  override readonly name = "LedgerOpenError";
}

export interface MigrateOptions {
  readonly file: string;
  /** Only check that the file can be read by this program. */
  readonly readonly: boolean;
  readonly migrations?: readonly string[];
  /** Version of this program. */
  readonly program?: string;
}

const pragma = (db: Database, name: string): number => {
  const row = db.query(`PRAGMA ${name}`).get() as Record<string, bigint> | null;
  return Number(row ? Object.values(row)[0] : 0);
};

const isFresh = (db: Database): boolean => {
  const tables = db.query("SELECT count(*) AS n FROM sqlite_schema").get() as { n: bigint };
  return pragma(db, "user_version") === 0 && tables.n === 0n;
};

/** @throws LedgerOpenError when the file is neither new nor a ledger. */
export function assertOurs(db: Database, file: string): void {
  if (isFresh(db) || pragma(db, "application_id") === APPLICATION_ID) return;
  throw new LedgerOpenError(`${file} is not an intel-node ledger. Name another [data] dir, or move that file away.`);
}

/**
 * Brings a ledger to the newest schema: before each migration the file is copied to `<file>.before-schema-<n>`, then
 * the migration runs in one db transaction, so that one that fails leaves the file as it was. Leaves foreign keys off.
 * @throws LedgerOpenError when the file is newer than this program, or a migration fails.
 */
export function migrateLedger(db: Database, options: MigrateOptions): void {
  const { file, readonly, migrations = MIGRATIONS, program = manifest.version } = options;
  // A migration may rebuild a table that others refer to; the references are checked before it is committed.
  db.run("PRAGMA foreign_keys = OFF");
  const schema = pragma(db, "user_version");
  const fresh = isFresh(db);
  if (schema > migrations.length) {
    throw new LedgerOpenError(
      `${file} has schema ${schema}, written by intel-node ${writerOf(db)}; this is intel-node ${program}, which ` +
        `knows schema ${migrations.length}. Start the newer program, or restore a backup made by this one.`,
    );
  }
  if (schema === migrations.length) return;
  if (readonly && fresh) throw new LedgerOpenError(`${file} holds no ledger: nothing was ever written to it.`);
  if (readonly) {
    throw new LedgerOpenError(
      `${file} has schema ${schema}, this is intel-node ${program} with schema ${migrations.length}: start the node ` +
        "once, it migrates the file.",
    );
  }
  const copies: string[] = [];
  const migrate = (): void => {
    for (let next = schema + 1; next <= migrations.length; next++) {
      if (!fresh) copies.push(copyBefore(db, file, next));
      runMigration(db, { file, next, sql: migrations[next - 1] ?? "", program });
    }
  };
  // A new file is synced once.
  if (fresh) db.transaction(migrate).immediate();
  else migrate();
  if (!fresh) dropOldCopies(file, copies);
}

interface Migration {
  readonly file: string;
  readonly next: number;
  readonly sql: string;
  readonly program: string;
}

function runMigration(db: Database, { file, next, sql, program }: Migration): void {
  try {
    db.transaction(() => {
      if (pragma(db, "user_version") !== next - 1) throw new Error("another process is migrating this file");
      db.run(sql);
      const dangling = db.query("PRAGMA foreign_key_check").get();
      if (dangling) throw new Error("it would leave a dangling reference");
      // Not part of a migration: every version, older ones too, must be able to read who wrote a file.
      db.run("CREATE TABLE IF NOT EXISTS schema_history (schema INTEGER PRIMARY KEY, program TEXT NOT NULL) STRICT");
      db.query("INSERT INTO schema_history (schema, program) VALUES (?, ?)").run(next, program);
      db.run(`PRAGMA application_id = ${APPLICATION_ID}`);
      db.run(`PRAGMA user_version = ${next}`);
    }).immediate();
  } catch (error) {
    throw new LedgerOpenError(
      `${file}: the migration to schema ${next} failed and changed nothing: ${messageOf(error)}. The older program ` +
        "can still use the file.",
      { cause: error },
    );
  }
}

/** The program version that brought a file to its schema. */
function writerOf(db: Database): string {
  const known = db.query("SELECT name FROM sqlite_schema WHERE name = 'schema_history'").get();
  if (!known) return "of an unknown version";
  const row = db.query("SELECT program FROM schema_history ORDER BY schema DESC LIMIT 1").get();
  return (row as { program: string } | null)?.program ?? "of an unknown version";
}

/** Copies the file as it is before a migration. A copy of an earlier attempt is replaced only by a whole one. */
function copyBefore(db: Database, file: string, next: number): string {
  const copy = `${file}.before-schema-${next}`;
  const partial = `${copy}.partial`;
  try {
    rmSync(partial, { force: true });
    copyLedger(db, partial);
    renameSync(partial, copy);
    syncPath(dirname(copy), "folder");
    return copy;
  } catch (error) {
    throw new LedgerOpenError(
      `${file} was not migrated, because it could not be copied first: ${messageOf(error)}. Nothing was changed.`,
      { cause: error },
    );
  }
}

/** Keeps the newest copies, and all that were made just now: the first of these is the file before the upgrade. */
function dropOldCopies(file: string, made: readonly string[]): void {
  const folder = dirname(file);
  const form = new RegExp(`^${RegExp.escape(basename(file))}\\.before-schema-[0-9]+$`);
  const older = readdirSync(folder)
    .filter((name) => form.test(name))
    .map((name) => join(folder, name))
    .filter((path) => !made.includes(path))
    .map((path) => ({ path, at_ms: statSync(path).mtimeMs }))
    .sort((a, b) => b.at_ms - a.at_ms);
  for (const { path } of older.slice(Math.max(0, COPIES_KEPT - made.length))) rmSync(path, { force: true });
}
