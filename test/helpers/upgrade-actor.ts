import { Database } from "bun:sqlite";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitForTurn } from "../../src/commands/handover/take-over.ts";
import { sha256Hex } from "../../src/core/hash.ts";
import type { Books } from "../../src/ledger/books.ts";
import { type Ledger, openLedgerInPostgres } from "../../src/ledger/ledger.ts";
import { readAddress } from "../../src/ledger/postgres/address.ts";
import { listPutBackSteps } from "../../src/ledger/put-back.ts";
import { auditLedger } from "../../src/ledger/sqlite/audit.ts";
import { MIGRATIONS, migrateLedger } from "../../src/ledger/sqlite/migrate.ts";
import { isHeldByNode, lockDataDirectory, lockHandover, openLedgerFile } from "../../src/ledger/sqlite/open.ts";
import { createSqliteBooks } from "../../src/ledger/sqlite/sqlite-books.ts";
import { copyForUpgrade, readSchema, type UpgradeCopy, undoUpgrade } from "../../src/ledger/sqlite/upgrade-copy.ts";
import { until } from "./hang-limit.ts";
import { createStillClock } from "./still-clock.ts";

/** The processes of an upgrade, which die where they are told to; and what a test looks at afterwards. */

/** What the next version makes of a ledger. */
const NEWER = [...MIGRATIONS, "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;"];

/** Where a process that takes over dies; "never" serves. */
export const DEATHS = ["unprepared", "prepared", "opened", "migrating", "migrated", "sold", "never"] as const;
export type Death = (typeof DEATHS)[number];

export const ledgerIn = (folder: string): string => join(folder, "ledger.db");

const die = (): never => {
  process.kill(process.pid, "SIGKILL");
  throw new Error("still alive");
};

/** Opens a ledger as the newest program that may read it does. */
export function openNewest(folder: string, migrations: readonly string[] = NEWER): Database {
  const file = ledgerIn(folder);
  if (existsSync(file) && readSchema(file) <= MIGRATIONS.length && migrations === MIGRATIONS) {
    return openLedgerFile(file);
  }
  const db = new Database(file, { safeIntegers: true });
  db.run("PRAGMA busy_timeout = 5000");
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA synchronous = FULL");
  migrateLedger(db, { file, readonly: false, migrations });
  db.run("PRAGMA foreign_keys = ON");
  return db;
}

/** Issues a key past a node. */
export async function issueKey(db: Database, public_id: string): Promise<void> {
  await issueIn(createSqliteBooks(db, { clock: createStillClock() }), public_id);
}

/** Somebody who reads a ledger and does not end: the log cannot be emptied meanwhile. */
export function holdSnapshot(folder: string): () => void {
  const db = new Database(ledgerIn(folder), { readonly: true });
  db.run("BEGIN");
  db.query("SELECT count(*) FROM accounts").get();
  return () => db.close();
}

/** Takes the lock of a folder, which a process that is just ending may hold a moment longer. */
async function lockSoon(folder: string): Promise<() => void> {
  let unlock = (): void => {};
  const take = (): boolean => {
    try {
      unlock = lockDataDirectory(folder);
      return true;
    } catch (error) {
      if (!isHeldByNode(error)) throw error;
      return false;
    }
  };
  await until(take, "the lock of a folder whose process has ended");
  return unlock;
}

/** What a node finds at its next start: the keys in the books, and whether these are sound. */
export async function readFolder(folder: string) {
  const unlock = await lockSoon(folder);
  const newer = readSchema(ledgerIn(folder)) > MIGRATIONS.length;
  const db = openNewest(folder, newer ? NEWER : MIGRATIONS);
  try {
    const rows = db.query("SELECT public_id FROM keys ORDER BY id").all() as { readonly public_id: string }[];
    return { keys: rows.map(({ public_id }) => public_id), findings: auditLedger(db).findings, newer };
  } finally {
    db.close();
    unlock();
  }
}

/** Takes a folder as a new program does, and dies on the way. */
async function takeFolder(folder: string, death: Death): Promise<void> {
  if (death === "prepared") die();
  lockDataDirectory(folder, { is_successor: true });
  if (death === "opened") {
    openLedgerFile(ledgerIn(folder));
    die();
  }
  if (death === "migrating") {
    const db = openLedgerFile(ledgerIn(folder));
    // Pages of a db tx that is never committed reach the log.
    db.run("PRAGMA cache_size = 1");
    db.run("BEGIN IMMEDIATE");
    db.run(NEWER.at(-1) ?? "");
    db.run(
      `WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 5000)
       INSERT INTO later SELECT id FROM n`,
    );
    die();
  }
  const db = openNewest(folder);
  if (death === "migrated") die();
  if (death === "sold") {
    await issueKey(db, "key_sold");
    die();
  }
}

const grant = { plan: "p", credit: 50_000n, duration_ms: null, pass: false, priority: 1, badge: null };

/** Issues a key in open books, which is acknowledged when the promise resolves. */
export async function issueIn({ keys }: Pick<Books, "keys">, public_id: string): Promise<void> {
  const fresh = { public_id, hash: sha256Hex(public_id), salt: null, label: null, purchaser: null };
  await keys.issue(fresh, grant, { by: "operator" });
}

/** The books of a database, as the node of these tests opens them. */
export const openDatabase = (url: string): Promise<Ledger> =>
  openLedgerInPostgres({
    address: readAddress({ url }),
    clock: createStillClock(),
    owner: "node",
    seat: { name: null },
  });

/** Takes the books of a database as a new program does, and dies on the way. */
async function takeDatabase(url: string, death: Death): Promise<void> {
  if (death === "prepared") die();
  const ledger = await openDatabase(url);
  if (death === "opened") die();
  if (death === "sold") {
    await issueIn(ledger, "key_sold");
    die();
  }
}

/** What the process of a hand-over says and does. The second one of the same program lives. */
async function takeOver(folder: string, death: Death, [role, url]: readonly (string | undefined)[]): Promise<void> {
  const met = join(folder, `met-${role}`);
  const fate = existsSync(met) ? "never" : death;
  writeFileSync(met, "");
  if (fate === "unprepared") die();
  process.on("message", async () => {
    if (url !== undefined) await takeDatabase(url, fate);
    else if (role === "old") {
      lockDataDirectory(folder, { is_successor: true });
      openLedgerFile(ledgerIn(folder));
    } else await takeFolder(folder, fate);
    process.send?.({ kind: "serving" });
    setImmediate(() => process.exit(0));
  });
  process.send?.({ kind: "prepared", version: role, schema: role === "old" ? MIGRATIONS.length : NEWER.length });
}

/** Puts a copy back, and dies before a step; with as many steps as there are, it dies after all of them. */
function putBackUntil(folder: string, copy: UpgradeCopy, steps: number): void {
  lockDataDirectory(folder, { is_successor: true });
  for (const step of listPutBackSteps(copy.ledger, copy.stamp).slice(0, steps)) step();
  die();
}

const ROLES: Readonly<Record<string, (folder: string, ...given: readonly string[]) => unknown>> = {
  new: (folder, death = "never", url?: string) => takeOver(folder, death as Death, ["new", url]),
  old: (folder, url?: string) => takeOver(folder, "never", ["old", url]),
  wait: () => waitForTurn(),
  take: (folder, death = "never") => takeFolder(folder, death as Death),
  async issue(folder, public_id = "", dies = "") {
    const db = openNewest(folder, MIGRATIONS);
    await issueKey(db, public_id);
    process.stdout.write("acknowledged");
    if (dies === "dies") die();
    db.close();
  },
  copy(folder, now_ms = "") {
    lockHandover(folder);
    writeFileSync(join(folder, "copy.json"), JSON.stringify(copyForUpgrade(ledgerIn(folder), Number(now_ms))));
  },
  undo(folder, steps = "") {
    lockHandover(folder);
    const copy = JSON.parse(readFileSync(join(folder, "copy.json"), "utf8")) as UpgradeCopy;
    if (steps === "") process.stdout.write(String(undoUpgrade(copy)));
    else putBackUntil(folder, copy, Number(steps));
  },
};

export const actor = (role: string, folder: string, ...given: readonly string[]): readonly string[] => [
  ...[process.execPath, import.meta.path, role, folder],
  ...given,
];

/** Runs a process to its end. */
export function act(role: string, folder: string, ...given: readonly string[]) {
  const child = Bun.spawnSync([...actor(role, folder, ...given)], { stdout: "pipe", stderr: "pipe" });
  return { code: child.exitCode, out: child.stdout.toString(), err: child.stderr.toString() };
}

if (import.meta.main) {
  const [role = "", folder = "", ...given] = process.argv.slice(2);
  await ROLES[role]?.(folder, ...given);
}
