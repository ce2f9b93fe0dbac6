import type { Database } from "bun:sqlite";
import type { Clock } from "../core/clock.ts";
import type { WritableRecords } from "../records/record-chain.ts";
import { type AuditReport, auditLedger } from "./audit.ts";
import { type Charges, createCharges } from "./charges.ts";
import { type Coupons, createCoupons } from "./coupons.ts";
import { createKeys, type Keys } from "./keys.ts";
import { createLandings, type Landings } from "./landings.ts";
import { createManifestTime, type ManifestTime } from "./manifest.ts";
import { openLedgerFile, toOpenError } from "./open.ts";
import { createPayments, type Payments } from "./payments.ts";
import { createReceipts, type Receipts } from "./receipts.ts";
import { createRecords, type RecordRealm } from "./records.ts";
import { createStatements, type Statements } from "./statements.ts";
import { createTransfers } from "./transfers.ts";
import { createWriter } from "./writer.ts";

/**
 * The books behind one interface, so that another engine can take SQLite's place when a node outgrows one host.
 * Writers are promises that resolve when the change is durable; readers see every resolved write.
 */
export interface Ledger {
  readonly payments: Payments;
  readonly receipts: Receipts;
  readonly landings: Landings;
  readonly keys: Keys;
  readonly charges: Charges;
  readonly coupons: Coupons;
  readonly statements: Statements;
  readonly manifest: ManifestTime;
  /**
   * Append-only records; those made of simulated markets are kept apart from the others. A clock of their own dates
   * what is written of a past that is simulated.
   */
  records(realm: RecordRealm, clock?: Clock): WritableRecords;
  audit(): AuditReport;
  /** Why the ledger takes no more writes, or null. */
  readonly halted: string | null;
  /** Why new charges are refused now, or null: it has halted, or its disk fails and is tried every second. */
  readonly trouble: string | null;
  onHalt(listener: (reason: string) => void): void;
  /** Called with the reason when the disk begins to fail, and with null when it takes writes again. */
  onTrouble(listener: (reason: string | null) => void): void;
  /** Waits until everything written so far is on disk. */
  flush(): Promise<void>;
  /** Moves the write-ahead log into the file and cuts it back. */
  checkpoint(): void;
  /** Waits for queued writes, checkpoints, closes. Closed also when it throws. */
  close(): Promise<void>;
}

export interface LedgerOptions {
  readonly file: string;
  readonly clock: Clock;
  /** How long a flush waits for company under load, ms. */
  readonly gap_ms?: number;
  /** See OpenOptions: FULL but in one test. */
  readonly synchronous?: "FULL" | "NORMAL";
}

/** @throws LedgerOpenError */
export function openLedger(options: LedgerOptions): Ledger {
  const { file, synchronous = "FULL" } = options;
  const db = openLedgerFile(file, { synchronous });
  try {
    return createLedger(db, options);
  } catch (error) {
    // The file is a ledger, but something in it that a question needs is not there.
    db.close();
    throw toOpenError(file, error);
  }
}

function createLedger(db: Database, { clock, gap_ms }: LedgerOptions): Ledger {
  const writer = createWriter(db, { gap_ms });
  // Each is the end of an index or of a table: a long ledger opens as fast as a new one.
  const newest = db
    .query(
      `SELECT max(coalesce((SELECT max(id) FROM transfers), 0), coalesce((SELECT max(settled_at) FROM receipts), 0),
         coalesce((SELECT max(id) FROM calls), 0), coalesce((SELECT max(id) FROM answers), 0),
         coalesce((SELECT max(id) FROM holds), 0)) AS at`,
    )
    .get() as { at: bigint };
  let last_us = Number(newest.at);
  // I9: ledger time strictly increases, whatever the system clock does.
  const tick = () => {
    last_us = Math.max(clock.now() * 1000, last_us + 1);
    return last_us;
  };
  const checkpoint = () => db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const books = { db, writer, tick, transfers: createTransfers(db) };
  const keys = createKeys({ ...books, clock });
  return {
    payments: createPayments({ ...books, clock, keys }),
    receipts: createReceipts(db),
    landings: createLandings(books),
    keys,
    charges: createCharges(books),
    coupons: createCoupons(books),
    statements: createStatements(db),
    manifest: createManifestTime(books),
    records: (realm, own = clock) => createRecords({ db, writer, clock: own, realm }),
    audit: () => auditLedger(db),
    get halted() {
      return writer.halted;
    },
    get trouble() {
      return writer.trouble;
    },
    onHalt: writer.onHalt,
    onTrouble: writer.onTrouble,
    flush: writer.flush,
    checkpoint,
    async close() {
      try {
        await writer.flush();
        // With a disk that fails, the log stays where it is: the next start reads it.
        if (writer.trouble === null) checkpoint();
      } finally {
        writer.stop();
        db.close();
      }
    },
  };
}
