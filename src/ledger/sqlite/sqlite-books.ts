import type { Database } from "bun:sqlite";
import type { Clock } from "../../core/clock.ts";
import type { Books } from "../books.ts";
import { startCopier } from "../copy/copier.ts";
import type { CopierOptions } from "../copy/copy-run.ts";
import type { CopyOrder, CopyState } from "../copy/copy-state.ts";
import { openCopyStore } from "../copy/open-store.ts";
import { promised } from "../promised.ts";
import { auditLedger } from "./audit.ts";
import { createChannelQueries } from "./channel-queries.ts";
import { createChannelCommands } from "./channels.ts";
import { createChargeCommands, createChargeQueries } from "./charges.ts";
import { createCorrectionCommands, createCorrectionQueries } from "./corrections.ts";
import { createCouponCommands, createCouponQueries } from "./coupons.ts";
import { createExplainedCommands, createExplainedQueries } from "./explained.ts";
import { emptyLog } from "./files.ts";
import { createKeyCommands, createKeyQueries } from "./keys.ts";
import { createLandingCommands, createLandingQueries } from "./landings.ts";
import { createManifestCommands, createManifestQueries } from "./manifest.ts";
import { createPaymentCommands, createPaymentQueries } from "./payments.ts";
import { createReceiptQueries } from "./receipts.ts";
import { createRecordCommands, createRecordQueries } from "./records.ts";
import { createRefundCommands, createRefundQueries } from "./refunds.ts";
import { createSqliteMoney } from "./sqlite-money.ts";
import { createSqliteStories } from "./sqlite-stories.ts";
import { createStatementQueries } from "./statements.ts";
import { createTransfers } from "./transfers.ts";
import { createWalletCommands, createWalletQueries } from "./wallets.ts";
import { createWriter } from "./writer.ts";

export interface SqliteBooksOptions {
  readonly clock: Clock;
  /** Where the books are copied to while they are written, and the listener for the copy's progress. */
  readonly copy?: BooksCopy | undefined;
}

export interface BooksCopy {
  readonly order: CopyOrder;
  readonly tell: (state: CopyState) => void;
}

/** The books in an open SQLite file, commands and queries in the thread that calls them. */
export function createSqliteBooks(db: Database, { clock, copy }: SqliteBooksOptions): Books {
  const writer = createWriter(db);
  const copying = copy === undefined ? null : startCopying({ db, clock, trouble: () => writer.trouble }, copy);
  const parts = { db, writer, clock, tick: createTick(db, clock), transfers: createTransfers(db) };
  const { applyPurchase, ...keys } = createKeyCommands(parts);
  const queries = createQueries(db, clock);
  const { writeBegun, ...payments } = createPaymentCommands({ ...parts, keys: { applyPurchase } });
  const flush = () => {
    writeBegun();
    return writer.flush();
  };
  return {
    payments: { ...payments, ...queries.payments },
    receipts: queries.receipts,
    landings: { ...createLandingCommands(parts), ...queries.landings },
    keys: { ...keys, ...queries.keys },
    charges: { ...createChargeCommands(parts), ...queries.charges },
    coupons: { ...createCouponCommands(parts), ...queries.coupons },
    channels: { ...createChannelCommands({ ...parts, keys: { applyPurchase } }), ...queries.channels },
    statements: queries.statements,
    stories: queries.stories,
    money: queries.money,
    manifest: { ...createManifestCommands(parts), ...queries.manifest },
    records: { ...createRecordCommands(parts), ...queries.records },
    wallets: { ...createWalletCommands(parts), ...queries.wallets },
    refunds: { ...createRefundCommands(parts), ...queries.refunds },
    corrections: { ...createCorrectionCommands(parts), ...queries.corrections },
    explained: { ...createExplainedCommands(parts), ...queries.explained },
    audit: async () => auditLedger(db),
    get halted() {
      return writer.halted;
    },
    get trouble() {
      return writer.trouble;
    },
    onHalt: writer.onHalt,
    onTrouble: writer.onTrouble,
    cluster: null,
    flush,
    get copied() {
      return copying?.state() ?? null;
    },
    checkpoint: async () => copying?.copier.checkpoint() ?? emptyLog(db),
    async close() {
      try {
        await flush();
        await copying?.copier.close();
        // With a disk that fails, or while somebody reads, the log stays beside the file: the next start reads it.
        if (writer.trouble === null) emptyLog(db);
      } finally {
        writer.stop();
        db.close();
      }
    },
  };
}

function startCopying(parts: Pick<CopierOptions, "db" | "clock" | "trouble">, { order, tell }: BooksCopy) {
  let told: CopyState | null = null;
  const hear = (state: CopyState) => {
    told = state;
    tell(state);
  };
  const copier = startCopier({ ...parts, order, store: openCopyStore(order.place), tell: hear });
  return { copier, state: () => told };
}

/** Every query, over one connection. */
export const createQueries = (db: Database, clock: Clock) => ({
  payments: promised(createPaymentQueries(db, clock)),
  receipts: promised(createReceiptQueries(db)),
  landings: promised(createLandingQueries(db)),
  keys: promised(createKeyQueries(db)),
  charges: promised(createChargeQueries(db)),
  coupons: promised(createCouponQueries(db)),
  channels: promised(createChannelQueries(db)),
  statements: promised(createStatementQueries(db)),
  stories: createSqliteStories(db),
  money: createSqliteMoney(db),
  manifest: promised(createManifestQueries(db)),
  records: promised(createRecordQueries(db)),
  wallets: promised(createWalletQueries(db)),
  refunds: promised(createRefundQueries(db)),
  corrections: promised(createCorrectionQueries(db)),
  explained: promised(createExplainedQueries(db)),
});

/** I9: ledger time strictly increases, whatever the system clock does. Microseconds. */
function createTick(db: Database, clock: Clock): () => number {
  // Each is the end of an index or of a table: a long ledger opens as fast as a new one.
  const newest = db
    .query(
      `SELECT max(coalesce((SELECT max(id) FROM transfers), 0), coalesce((SELECT max(settled_at) FROM receipts), 0),
         coalesce((SELECT max(id) FROM calls), 0), coalesce((SELECT max(id) FROM answers), 0),
         coalesce((SELECT max(id) FROM holds), 0), coalesce((SELECT max(id) FROM channel_moves), 0),
         coalesce((SELECT max(id) FROM corrections), 0)) AS at`,
    )
    .get() as { at: bigint };
  let last_us = Number(newest.at);
  return () => {
    last_us = Math.max(clock.now() * 1000, last_us + 1);
    return last_us;
  };
}
