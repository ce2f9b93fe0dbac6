import { Database, SQLiteError } from "bun:sqlite";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import type { WritableHistory } from "../catalog/context.ts";
import type { Snapshot, SnapshotStore } from "../catalog/previews.ts";
import type { Clock } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import type { QuotaStore } from "../upstream/quotas.ts";
import { assertTime, createHistory, SERIES_SCHEMA } from "./history.ts";
import { createQuotaRows } from "./quota-rows.ts";
import { createTaskRows, type TaskRows } from "./task-rows.ts";

/**
 * Preview snapshots, observed series and the tasks of the last day. Everything in it can be had again, and what was
 * paid for is in the ledger, so the file may be deleted at any time.
 */
export interface MarketDb extends SnapshotStore {
  readonly history: WritableHistory;
  /** The open file, for the tables that plugins declare as disposable. */
  readonly db: Database;
  readonly tasks: TaskRows;
  readonly quotas: QuotaStore;
  close(): void;
}

/** An unusable file was moved out of the way. */
export interface MarketDbEvent {
  readonly event: "market_db_replaced";
  readonly reason: string;
  readonly kept_as: string;
}

export interface MarketDbOptions {
  readonly clock: Clock;
  readonly log?: (event: MarketDbEvent) => void;
}

/** "imdb" in ASCII: tells our files from other people's. */
const APPLICATION_ID = 0x696d6462;
const SCHEMA_VERSION = 1;
const BODY_CHARS_MAX = 4_000_000;
const NAMES_MAX = 100;
const CHECKPOINT_PAGES = 8_000;

const SCHEMA = `
  CREATE TABLE snapshots (
    product TEXT NOT NULL,
    params_key TEXT NOT NULL,
    as_of_ms INTEGER NOT NULL,
    taken_at_ms INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (product, params_key, as_of_ms)
  ) STRICT;
  CREATE INDEX snapshots_by_age ON snapshots (product, taken_at_ms);
  ${SERIES_SCHEMA}
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** The file is not a market.db this version can use. Never thrown to callers: the file is replaced. */
class UnusableFileError extends Error {
  override readonly name = "UnusableFileError";
}

const readPragma = (db: Database, name: string): unknown =>
  Object.values(db.query<Record<string, unknown>, []>(`PRAGMA ${name}`).get() ?? {})[0];

function prepare(db: Database): void {
  // Before WAL: switching while another process opens the file fails at once without a timeout.
  db.run("PRAGMA busy_timeout = 5000");
  db.run("PRAGMA trusted_schema = OFF");
  const tables = db.query<{ n: number }, []>("SELECT count(*) AS n FROM sqlite_schema").get()?.n ?? 0;
  const ours = readPragma(db, "application_id") === APPLICATION_ID;
  const version = readPragma(db, "user_version");
  if (tables > 0 && !ours) throw new UnusableFileError("it belongs to another program");
  if (tables > 0 && version !== SCHEMA_VERSION) throw new UnusableFileError(`its schema version is ${version}`);
  const check = readPragma(db, "quick_check(1)");
  if (check !== "ok") throw new UnusableFileError(`it is damaged: ${check}`);
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA synchronous = NORMAL");
  // Windows of bars are written over every hour: what is copied into the file less often is copied once.
  db.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  // Another process may have made the tables since they were counted.
  const create = db.transaction(() => {
    if (readPragma(db, "application_id") !== APPLICATION_ID) db.run(SCHEMA);
  });
  if (tables === 0) create.immediate();
}

function open(file: string): Database {
  const db = new Database(file, { create: true, strict: true });
  try {
    prepare(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const isUnusable = (error: unknown): boolean =>
  error instanceof UnusableFileError ||
  (error instanceof SQLiteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code ?? ""));

/** Renames a file and its WAL, which would otherwise be read into the new one. Returns the new name. */
function moveAway(file: string, clock: Clock): string {
  const stamp = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, "");
  for (let n = 1; n <= NAMES_MAX; n++) {
    const name = `${file}.broken-${stamp}${n === 1 ? "" : `-${n}`}`;
    if (existsSync(name)) continue;
    for (const suffix of ["-wal", "-shm", ""]) {
      if (existsSync(file + suffix)) renameSync(file + suffix, name + suffix);
    }
    return name;
  }
  throw new Error(`no free name to move "${file}" to`);
}

function createSnapshots(db: Database): SnapshotStore {
  const insert = db.query<unknown, [string, string, number, number, string]>(
    `INSERT INTO snapshots (product, params_key, as_of_ms, taken_at_ms, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET taken_at_ms = excluded.taken_at_ms, body = excluded.body`,
  );
  const newest = db.query<Snapshot, [string, string, number]>(
    `SELECT as_of_ms, taken_at_ms, body FROM snapshots
     WHERE product = ? AND params_key = ? AND as_of_ms <= ? ORDER BY as_of_ms DESC LIMIT 1`,
  );
  const oldest = db.query<Snapshot, [string, string, number, number]>(
    `SELECT as_of_ms, taken_at_ms, body FROM snapshots
     WHERE product = ? AND params_key = ? AND as_of_ms BETWEEN ? AND ? ORDER BY as_of_ms LIMIT 1`,
  );
  const prune = db.query<unknown, [string, number, string, string, number, number]>(
    `DELETE FROM snapshots WHERE rowid IN (
       SELECT rowid FROM snapshots WHERE product = ?1 ORDER BY taken_at_ms DESC, as_of_ms DESC LIMIT -1 OFFSET ?2)
     AND rowid NOT IN (
       SELECT rowid FROM snapshots JOIN (
         SELECT product, params_key, min(as_of_ms) AS as_of_ms FROM snapshots
         WHERE product = ?3 AND params_key = ?4 AND as_of_ms >= ?5 GROUP BY as_of_ms / ?6
       ) USING (product, params_key, as_of_ms))`,
  );
  return {
    saveSnapshot({ product, params_key, as_of_ms, taken_at_ms, body }) {
      assertTime("as_of_ms", as_of_ms);
      assertTime("taken_at_ms", taken_at_ms);
      if (body.length > BODY_CHARS_MAX) throw new RangeError(`a snapshot has ${body.length} characters`);
      insert.run(product, params_key, as_of_ms, taken_at_ms, body);
    },
    newestSnapshot: (product, params_key, as_of_max_ms) => newest.get(product, params_key, Math.floor(as_of_max_ms)),
    oldestSnapshot: (product, params_key, { from_ms, to_ms }) =>
      oldest.get(product, params_key, Math.ceil(from_ms), Math.floor(to_ms)),
    pruneSnapshots(product, keep, past) {
      const { params_key, from_ms, step_ms } = past ?? { params_key: "", from_ms: Number.MAX_SAFE_INTEGER, step_ms: 1 };
      prune.run(product, Math.max(0, Math.floor(keep)), product, params_key, Math.floor(from_ms), step_ms);
    },
  };
}

/**
 * Opens market.db, making it and its folder when they do not exist. A file that is damaged, of another program or of
 * another schema version is renamed to `<file>.broken-<time>` and a new one is made. ":memory:" keeps nothing.
 * @throws SQLiteError or a system error when the file cannot be opened for other reasons (locked, not permitted).
 */
export function openMarketDb(file: string, options: MarketDbOptions): MarketDb {
  const { clock, log } = options;
  const replace = (reason: string): void => {
    const kept_as = moveAway(file, clock);
    log?.({ event: "market_db_replaced", reason, kept_as });
  };
  const openFile = (): Database => {
    if (file === ":memory:") return open(file);
    mkdirSync(dirname(file), { recursive: true });
    // A WAL without its database is the rest of a deleted one; it must not flow into the new file.
    if (!existsSync(file) && existsSync(`${file}-wal`)) replace("only its WAL was left");
    try {
      return open(file);
    } catch (error) {
      if (!isUnusable(error)) throw error;
      replace(messageOf(error));
      return open(file);
    }
  };
  const db = openFile();
  return {
    db,
    history: createHistory(db),
    tasks: createTaskRows(db),
    quotas: createQuotaRows(db),
    ...createSnapshots(db),
    close: () => db.close(),
  };
}
