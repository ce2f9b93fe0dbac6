import type { Database } from "bun:sqlite";
import type { Clock } from "../core/clock.ts";
import type { WritableRecords } from "../records/record-chain.ts";
import type { BookGroups, BookKeeping, Books } from "./books.ts";
import type { Channels } from "./channels.ts";
import type { CopyOrder } from "./copy/copy-state.ts";
import { cacheKeys, type Keys } from "./key-cache.ts";
import { createManifestTime, type ManifestTime, type NotedManifest } from "./manifest.ts";
import type { Payments } from "./payments.ts";
import type { PostgresBooksOptions } from "./postgres/postgres-books.ts";
import { createRecordWriter } from "./record-writer.ts";
import type { RecordRealm } from "./records.ts";
import type { BookThreadOptions } from "./sqlite/book-thread.ts";
import { createManifestQueries } from "./sqlite/manifest.ts";
import { openLedgerFile, toOpenError } from "./sqlite/open.ts";
import { createSqliteBooks } from "./sqlite/sqlite-books.ts";
import { startThreadBooks } from "./sqlite/thread-books.ts";
import { watchEarlier } from "./watch-earlier.ts";

type Unchanged = Pick<
  BookGroups,
  | "receipts"
  | "landings"
  | "charges"
  | "coupons"
  | "statements"
  | "stories"
  | "money"
  | "refunds"
  | "corrections"
  | "explained"
  | "wallets"
>;

/**
 * The books as everybody outside this folder sees them: their commands and queries, with the keys of every call kept in
 * memory and records built for their place. Nothing here knows where the books are kept.
 */
export interface Ledger extends Unchanged, BookKeeping {
  readonly payments: Payments;
  readonly channels: Channels;
  readonly keys: Keys;
  readonly manifest: ManifestTime;
  /**
   * Append-only records; those of simulated markets are separate from the others. Records of a simulated past are dated
   * by their own clock.
   */
  records(realm: RecordRealm, clock?: Clock): WritableRecords;
}

export interface LedgerOptions {
  readonly file: string;
  readonly clock: Clock;
  /** See OpenOptions: FULL but in one test. */
  readonly synchronous?: "FULL" | "NORMAL";
  /** Where the books are copied to while they are written. */
  readonly copy?: CopyOrder | undefined;
}

/**
 * Opens the books in a file, in this thread.
 * @throws LedgerOpenError
 */
export function openLedger(options: LedgerOptions): Ledger {
  const { file, clock, synchronous = "FULL", copy } = options;
  const db: Database = openLedgerFile(file, { synchronous });
  try {
    return createLedger(createSqliteBooks(db, { clock, copy: copy && { order: copy, tell: () => undefined } }), {
      clock,
      manifest_at_start: createManifestQueries(db).read(),
    });
  } catch (error) {
    // The file is a ledger, but something in it that a question needs is not there.
    db.close();
    throw toOpenError(file, error);
  }
}

/**
 * Opens the books in a file that their own thread writes, so that serving never waits for the disk.
 * @throws LedgerOpenError
 */
export async function openLedgerInThread({
  file,
  clock,
  synchronous = "FULL",
  copy,
  spawn,
}: LedgerOptions & Pick<BookThreadOptions, "spawn">): Promise<Ledger> {
  const books = await startThreadBooks({ start: { file, synchronous, copy }, clock, spawn });
  return createLedger(books, { clock, manifest_at_start: await books.manifest.read() });
}

/**
 * Opens the books in a PostgreSQL database, which other nodes may share.
 * @throws LedgerOpenError
 */
export async function openLedgerInPostgres(options: PostgresBooksOptions): Promise<Ledger> {
  // Its driver is loaded by nodes that have such a database.
  const { openPostgresBooks } = await import("./postgres/postgres-books.ts");
  const books = await openPostgresBooks(options);
  return createLedger(books, { clock: options.clock, manifest_at_start: await books.manifest.read() });
}

export interface LedgerParts {
  readonly clock: Clock;
  readonly manifest_at_start: NotedManifest | null;
}

/** How long a key that was revoked on one node may go on paying on the others. */
const KEY_KEPT_MS = 2_000;

/** @param books any engine's. */
function createLedger(books: Books, { clock, manifest_at_start }: LedgerParts): Ledger {
  // Changes by another node are not announced: the key is read again.
  const { keys, forget } = cacheKeys(books.keys, books.cluster === null ? null : { kept_ms: KEY_KEPT_MS });
  const inTurn = createTurns();
  const { receipts, landings, charges, coupons, channels, statements, stories, money, refunds, wallets } = books;
  const { corrections, explained } = books;
  const payments = watchEarlier(books.payments);
  return {
    receipts,
    landings: {
      ...landings,
      async note(receipt_id, look) {
        await landings.note(receipt_id, look);
        // The key bought with it is suspended. When it lands after all, no suspended key is cached.
        if (look.state === "missing") forget();
      },
    },
    charges,
    coupons,
    channels: {
      ...channels,
      async charge(step, answer) {
        const charged = await channels.charge(step, answer);
        if (step.purchase !== undefined && charged.ok) forget();
        return charged;
      },
      async end(id, ended) {
        const row = await channels.end(id, ended);
        // A voucher of a deposit that landed may have bought a plan.
        if (ended.state === "done" && (await channels.move(id))?.step?.purchase !== undefined) forget();
        return row;
      },
    },
    statements,
    stories,
    money,
    refunds,
    corrections,
    explained,
    wallets,
    keys,
    payments: {
      ...payments,
      async settle(id, settled) {
        const booked = await payments.settle(id, settled);
        if (booked?.changed_key) forget();
        return booked;
      },
    },
    manifest: createManifestTime(books.manifest, manifest_at_start),
    records: (realm, own = clock) => createRecordWriter({ books: books.records, clock: own, realm, inTurn }),
    cluster: books.cluster,
    audit: books.audit,
    get halted() {
      return books.halted;
    },
    get trouble() {
      return books.trouble;
    },
    get copied() {
      return books.copied;
    },
    onHalt: books.onHalt,
    onTrouble: books.onTrouble,
    flush: books.flush,
    checkpoint: books.checkpoint,
    close: books.close,
  };
}

/** Runs what it is given one after the other. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const own = last.then(work);
    last = own.catch(() => undefined);
    return own;
  };
}
