import { Database } from "bun:sqlite";
import { afterEach } from "bun:test";
import {
  type Ledger,
  type LedgerOptions,
  openLedger,
  openLedgerInPostgres,
  openLedgerInThread,
} from "../../src/ledger/ledger.ts";
import { readAddress } from "../../src/ledger/postgres/address.ts";
import { createSchemas } from "./postgres-schemas.ts";

/**
 * What keeps the books: `serving` a file, in the thread that calls them; `thread` a file, in a thread of their own;
 * `postgres` the database at TEST_LEDGER_URL.
 */
export const ENGINES = ["serving", "thread", "postgres"] as const;
export type Engine = (typeof ENGINES)[number];

/** The engine this run is for. */
export const ENGINE = readEngine(process.env.TEST_LEDGER_ENGINE ?? "serving");

function readEngine(name: string): Engine {
  const found = ENGINES.find((engine) => engine === name);
  if (found === undefined) throw new Error(`TEST_LEDGER_ENGINE: one of ${ENGINES.join(", ")}`);
  return found;
}

const schemas = ENGINE === "postgres" ? createSchemas(process.env.TEST_LEDGER_URL ?? "") : null;
const spoiled = new Set<string>();

/** Those of the running test: a thread that nobody ends keeps a run of tests from its end. */
const opened: Ledger[] = [];

/** To be called at the top of each suite that opens books: what its tests left open is closed after each. */
export const closeBooksAfterEach = (): void =>
  afterEach(async () => {
    for (const ledger of opened.splice(0)) await ledger.close().catch(() => undefined);
    await schemas?.release(spoiled);
  });

/**
 * Opens the books on the engine this run is for: every suite that opens them here is run once for each
 * (`test/ledger/engines.test.ts`). They are closed after the test, if it does not close them itself. In a database the
 * name of the file stands for a schema: the same name is the same ledger, until the test ends.
 */
export async function openBooks(options: LedgerOptions): Promise<Ledger> {
  const ledger = await openOn(ENGINE, options);
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= ledger.close();
    return closed;
  };
  const own: Ledger = Object.create(ledger, { close: { value: close } });
  opened.push(own);
  return own;
}

async function openOn(engine: Engine, options: LedgerOptions): Promise<Ledger> {
  if (engine === "serving") return openLedger(options);
  if (schemas === null) return openLedgerInThread(options);
  const address = readAddress({ url: await schemas.of(options.file) });
  return openLedgerInPostgres({ address, clock: options.clock, owner: "node", readers: 2 });
}

/**
 * Runs statements on a ledger past all commands, one after the other. `changes_tables`: they change more than rows.
 * @returns the rows of the last one.
 */
export async function runOnBooks(
  file: string,
  statements: readonly string[],
  { changes_tables = false } = {},
): Promise<unknown[]> {
  if (changes_tables) spoiled.add(file);
  let rows: unknown[] = [];
  if (schemas !== null) {
    for (const sql of statements) rows = await schemas.run(file, sql);
    return rows;
  }
  const db = new Database(file);
  try {
    for (const sql of statements) rows = db.query(sql).all();
    return rows;
  } finally {
    db.close();
  }
}

/**
 * What a promise is refused with. `expect(promise).rejects` waits without letting go of the thread, and the answer of
 * another thread then never comes.
 * @throws Error when it is not refused.
 */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error("it was refused with something that is no error", { cause: error });
  }
  throw new Error(`it was not refused: ${JSON.stringify(value)}`);
}
