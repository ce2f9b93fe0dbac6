import type { SQL } from "bun";
import manifest from "../../../package.json" with { type: "json" };
import { messageOf } from "../../core/errors.ts";
import { LedgerOpenError } from "../sqlite/migrate.ts";
import { type PostgresAddress, renderAddress } from "./address.ts";
import { sqlStateOf } from "./faults.ts";
import books from "./migrations/001-books.sql" with { type: "text" };
import rules from "./migrations/002-rules.sql" with { type: "text" };
import money from "./migrations/003-money.sql" with { type: "text" };
import charges from "./migrations/004-charges.sql" with { type: "text" };
import payments from "./migrations/005-payments.sql" with { type: "text" };
import commands from "./migrations/006-commands.sql" with { type: "text" };
import cluster from "./migrations/007-cluster.sql" with { type: "text" };
import debits from "./migrations/008-debits.sql" with { type: "text" };
import left from "./migrations/009-left.sql" with { type: "text" };
import together from "./migrations/010-together.sql" with { type: "text" };
import answerHashes from "./migrations/011-answer-hashes.sql" with { type: "text" };
import livingChildren from "./migrations/012-living-children.sql" with { type: "text" };
import suspendedKeys from "./migrations/013-suspended-keys.sql" with { type: "text" };
import lots from "./migrations/014-lots.sql" with { type: "text" };
import wallets from "./migrations/015-wallets.sql" with { type: "text" };
import channels from "./migrations/016-channels.sql" with { type: "text" };
import metered from "./migrations/017-metered.sql" with { type: "text" };
import givenBack from "./migrations/018-given-back.sql" with { type: "text" };
import decided from "./migrations/019-decided.sql" with { type: "text" };
import decidedRefunds from "./migrations/020-decided-refunds.sql" with { type: "text" };
import corrections from "./migrations/021-corrections.sql" with { type: "text" };
import doors from "./migrations/022-doors.sql" with { type: "text" };
import callDoors from "./migrations/023-call-doors.sql" with { type: "text" };
import decidedMovements from "./migrations/024-decided-movements.sql" with { type: "text" };
import authorized from "./migrations/025-authorized.sql" with { type: "text" };
import witnessed from "./migrations/026-witnessed.sql" with { type: "text" };
import { createReader } from "./reader.ts";

/** In order; the position is the schema version. Never edit one that was released: add the next. */
export const POSTGRES_MIGRATIONS: readonly string[] = [
  ...[books, rules, money, charges, payments, commands, cluster],
  ...[debits, left, together, answerHashes, livingChildren, suspendedKeys, lots, wallets, channels],
  metered,
  givenBack,
  decided,
  decidedRefunds,
  corrections,
  doors,
  callDoors,
  decidedMovements,
  authorized,
  witnessed,
];

/** The oldest server that is tested. */
const SERVER_MIN = 150_000;
const LOCK_WAIT = "10s";
const ATTEMPTS_MAX = 5;
/** A name that is taken, as an index of the catalog says it, or a statement. */
const ANOTHER_WAS_FIRST: ReadonlySet<string> = new Set(["23505", "42P06", "42P07"]);

interface Settings {
  readonly version: number;
  readonly encoding: string;
  readonly sync: string;
  readonly fsync: string;
  readonly isolation: string;
  readonly reads_only: string;
  readonly skew_ms: number;
}

/** A node whose clock is further off dates sales wrongly, and signatures end too soon or too late. */
const SKEW_MS_MAX = 5_000;

/**
 * Refuses a server on which something acknowledged could be lost, or the books would mean something else.
 * @throws LedgerOpenError
 */
export async function assertServer(sql: SQL, address: PostgresAddress, now_ms: number): Promise<void> {
  const found = await createReader(sql).get<Settings>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding,
       current_setting('synchronous_commit') AS sync, current_setting('fsync') AS fsync,
       current_setting('transaction_isolation') AS isolation, current_setting('transaction_read_only') AS reads_only,
       (extract(epoch FROM clock_timestamp()) * 1000)::float8 - $1::float8 AS skew_ms`,
    [now_ms],
  );
  if (found === null) throw refuseServer(address, "it does not say what it is");
  const wrong = [
    found.version < SERVER_MIN ? `it is version ${found.version}; ${SERVER_MIN} (15) is the oldest` : "",
    found.encoding !== "UTF8" ? `its encoding is ${found.encoding}, not UTF8` : "",
    // With less, a commit is acknowledged that a power cut takes back.
    !["on", "remote_apply"].includes(found.sync) ? `synchronous_commit is ${found.sync}, not on` : "",
    found.fsync !== "on" ? `fsync is ${found.fsync}, not on` : "",
    found.isolation !== "read committed" ? `its isolation is "${found.isolation}", not "read committed"` : "",
    found.reads_only !== "off" ? "it only reads: this is a standby" : "",
    Math.abs(found.skew_ms) > SKEW_MS_MAX ? `its clock is ${Math.round(found.skew_ms)} ms off this one` : "",
  ].filter((reason) => reason !== "");
  if (wrong.length > 0) throw refuseServer(address, wrong.join("; "));
}

const refuseServer = (address: PostgresAddress, why: string): LedgerOpenError =>
  new LedgerOpenError(`${renderAddress(address)} cannot hold the ledger: ${why}.`);

/** @returns the schema version; 0 is an empty database. */
export async function readSchema(sql: Pick<SQL, "unsafe">): Promise<{ schema: number; program: string }> {
  const { get } = createReader(sql);
  const known = await get<{ name: string | null }>("SELECT to_regclass('schema_history')::text AS name");
  if (known?.name == null) return { schema: 0, program: "" };
  const row = await get<{ schema: bigint; program: string }>(
    "SELECT schema, program FROM schema_history ORDER BY schema DESC LIMIT 1",
  );
  return row ? { schema: Number(row.schema), program: row.program } : { schema: 0, program: "" };
}

export interface MigratePostgresOptions {
  readonly address: PostgresAddress;
  readonly migrations?: readonly string[];
  readonly program?: string;
}

/**
 * Brings the database to this program's schema, each migration in one transaction; nodes that start at once wait for
 * each other. One that fails leaves the database as it was.
 * @throws LedgerOpenError when it is newer than this program, holds something else, or a migration fails.
 */
export async function migratePostgres(sql: SQL, options: MigratePostgresOptions): Promise<void> {
  const { address, migrations = POSTGRES_MIGRATIONS, program = manifest.version } = options;
  const where = renderAddress(address);
  try {
    await migrateTogether(sql, { where, migrations, program, schema: address.schema });
    const after = await readSchema(sql);
    if (after.schema > migrations.length) {
      throw new LedgerOpenError(
        `${where} has schema ${after.schema}, written by intel-node ${after.program}; this is intel-node ${program}, ` +
          `which knows schema ${migrations.length}. Start the newer program.`,
      );
    }
  } catch (error) {
    if (error instanceof LedgerOpenError) throw error;
    throw new LedgerOpenError(`${where} cannot be opened as a ledger: ${messageOf(error)}.`, { cause: error });
  }
}

/** "IF NOT EXISTS" does not protect from another node that does the same at the same moment: one of them fails. */
async function migrateTogether(sql: SQL, migration: Migration): Promise<void> {
  const { schema, migrations } = migration;
  for (let attempt = 1; ; attempt++) {
    try {
      if (schema !== "public") await sql.unsafe(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
      if ((await readSchema(sql)).schema < migrations.length) await migrate(sql, migration);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !ANOTHER_WAS_FIRST.has(sqlStateOf(error))) throw error;
    }
  }
}

interface Migration {
  readonly schema: string;
  readonly where: string;
  readonly migrations: readonly string[];
  readonly program: string;
}

async function migrate(sql: SQL, { where, migrations, program }: Migration): Promise<void> {
  await sql.begin(async (tx) => {
    await tx.unsafe(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
    await assertOwn(tx, where);
    await tx.unsafe(
      `CREATE TABLE IF NOT EXISTS schema_history (schema bigint PRIMARY KEY, program text NOT NULL,
         at timestamptz NOT NULL DEFAULT now())`,
    );
    await tx.unsafe("LOCK TABLE schema_history IN EXCLUSIVE MODE");
    const { schema } = await readSchema(tx);
    for (let next = schema + 1; next <= migrations.length; next++) {
      await tx.unsafe(migrations[next - 1] ?? "");
      await tx.unsafe("INSERT INTO schema_history (schema, program) VALUES ($1::bigint, $2::text)", [next, program]);
    }
  });
}

/** Tables of something else are never mixed with the books. */
async function assertOwn(sql: Pick<SQL, "unsafe">, where: string): Promise<void> {
  const { get } = createReader(sql, []);
  const found = await get<{ foreign: bigint; ours: bigint }>(
    `SELECT count(*) FILTER (WHERE tablename <> 'schema_history') AS foreign,
       count(*) FILTER (WHERE tablename = 'schema_history') AS ours
     FROM pg_tables WHERE schemaname = current_schema()`,
  );
  if (found && found.ours === 0n && found.foreign > 0n) {
    throw new LedgerOpenError(`${where} holds other tables: name an empty database, or another ?schema=.`);
  }
}
