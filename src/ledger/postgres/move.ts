import type { Database } from "bun:sqlite";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SQL, TransactionSQL } from "bun";
import { systemClock } from "../../core/clock.ts";
import type { AuditReport } from "../audit.ts";
import { setAside, setLogAside, stampOf } from "../put-back.ts";
import { auditLedger } from "../sqlite/audit.ts";
import { assertLogEmptied, syncPath } from "../sqlite/files.ts";
import { LedgerOpenError } from "../sqlite/migrate.ts";
import { lockDataDirectory, openLedgerFile } from "../sqlite/open.ts";
import { MOVED, type PostgresAddress, renderAddress } from "./address.ts";
import { auditPostgres } from "./audit.ts";
import { connect } from "./connect.ts";
import { COPIED_TABLES, compareCopies, copyIntoDatabase, copyIntoFile, type TableDigest } from "./copy.ts";
import { assertServer, migratePostgres } from "./migrate.ts";
import { createReader } from "./reader.ts";
import { takeSeat } from "./seats.ts";

const LEDGER = "ledger.db";
const WORK = ".moving";
const MOVER = "ledger move";
/** However much there is to copy: no node starts meanwhile. One that was cut off is run again, or waited for. */
const SEAT_MS_MAX = 86_400_000;

export interface LedgerMove {
  readonly directory: string;
  readonly address: PostgresAddress;
  /** The node of that folder: it goes on with what is in flight. */
  readonly owner: string;
}

export interface Moved {
  readonly tables: readonly TableDigest[];
  readonly audit: AuditReport;
}

/**
 * Moves the books of a folder into an empty database: one db transaction, which is committed only when every row reads
 * the same in both and every rule of the audit holds. One that is cut off leaves nothing, or only has the file still to
 * be renamed: run again, it does just that.
 * @throws Error; the books are then where they were.
 */
export async function moveToPostgres({ directory, address, owner }: LedgerMove): Promise<Moved> {
  const file = join(directory, LEDGER);
  if (!existsSync(file)) throw new LedgerOpenError(`${file} does not exist`);
  const unlock = lockDataDirectory(directory);
  try {
    const db = openLedgerFile(file);
    let moved: Moved;
    try {
      assertProved(auditLedger(db), file);
      moved = await withDatabase(address, (pool) => fillDatabase(pool, { db, address, owner }));
    } finally {
      db.close();
    }
    // A file of an earlier move keeps its rows, too. A concurrent reader keeps a part of the books in the log.
    setMovedAside(directory);
    setAside(file, join(directory, MOVED));
    return moved;
  } finally {
    unlock();
  }
}

/** Gives the file of an earlier move a dated name. */
const setMovedAside = (directory: string): void =>
  setAside(join(directory, MOVED), join(directory, `${MOVED}-${stampOf(systemClock.now())}`));

interface Filling {
  readonly db: Database;
  readonly address: PostgresAddress;
  readonly owner: string;
}

async function fillDatabase(pool: SQL, { db, address, owner }: Filling): Promise<Moved> {
  await assertServer(pool, address, systemClock.now());
  return pool.begin("isolation level repeatable read", async (tx) => {
    // Books that are there already are the very same ones, or somebody else's.
    if (await isEmpty(tx)) await copyIntoDatabase(db, tx, owner);
    const tables = await compareCopies(db, tx);
    const audit = await auditPostgres(createReader(tx, []));
    assertProved(audit, renderAddress(address));
    return { tables, audit };
  });
}

async function isEmpty(tx: TransactionSQL): Promise<boolean> {
  const { get } = createReader(tx, []);
  for (const { name, postgres = name } of COPIED_TABLES) {
    if ((await get(`SELECT 1 AS one FROM ${postgres} LIMIT 1`)) !== null) return false;
  }
  return true;
}

/**
 * Moves the books of a database into a folder without books. Afterwards no node starts on that database again.
 * @throws Error; the books are then still where they were.
 */
export async function moveToFile({ directory, address }: Omit<LedgerMove, "owner">): Promise<Moved> {
  const file = join(directory, LEDGER);
  if (existsSync(file)) throw new LedgerOpenError(`${file} exists: a move never overwrites`);
  const unlock = lockDataDirectory(directory);
  const work = join(directory, WORK);
  try {
    rmSync(work, { recursive: true, force: true });
    mkdirSync(work, { mode: 0o700 });
    return await withDatabase(address, async (pool) => {
      const moved = await copyProved(pool, { to: join(work, LEDGER), where: renderAddress(address) });
      setLogAside(file, stampOf(systemClock.now()));
      renameSync(join(work, LEDGER), file);
      syncPath(directory, "folder");
      setMovedAside(directory);
      await createReader(pool).get("UPDATE seats SET owner = $1::text, until = 'infinity' WHERE owner = $2::text", [
        `moved to ${file}`,
        MOVER,
      ]);
      return moved;
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
    unlock();
  }
}

/** Writes the books of a database, as they are at one moment, into a new file, proved in both. */
export async function copyProved(
  pool: SQL,
  { to, where }: { readonly to: string; readonly where: string },
): Promise<Moved> {
  const db = openLedgerFile(to);
  try {
    const tables = await pool.begin("isolation level repeatable read read only", async (tx) => {
      assertProved(await auditPostgres(createReader(tx, [])), where);
      await copyIntoFile(tx, db);
      return compareCopies(db, tx);
    });
    const audit = auditLedger(db);
    assertProved(audit, to);
    assertLogEmptied(db, to);
    return { tables, audit };
  } finally {
    db.close();
    syncPath(to, "file");
  }
}

/** Holds the books, so that no node runs or starts on them. */
async function withDatabase<T>(address: PostgresAddress, work: (pool: SQL) => Promise<T>): Promise<T> {
  const pool = connect(address, 1);
  const reader = createReader(pool);
  try {
    await migratePostgres(pool, { address });
    await takeSeat(reader, { owner: MOVER, where: renderAddress(address), name: null, seat_ms: SEAT_MS_MAX });
    try {
      return await work(pool);
    } finally {
      await reader.get("DELETE FROM seats WHERE owner = $1::text", [MOVER]);
    }
  } finally {
    await pool.close({ timeout: 5 });
  }
}

function assertProved({ ok, findings }: AuditReport, where: string): void {
  if (ok) return;
  const first = findings
    .slice(0, 3)
    .map(({ rule, message }) => `${rule} ${message}`)
    .join("; ");
  throw new Error(`the books of ${where} are broken, and were not moved: ${first}`);
}
