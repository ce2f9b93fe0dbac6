import type { LedgerPlace } from "../files/ledger-place.ts";
import type { AuditReport } from "../ledger/audit.ts";
import { EXPLAINED_MAX, type ExplainedTransfer } from "../ledger/explained.ts";
import type { IncomeRow } from "../ledger/list-income.ts";
import type { CorrectionRow, RefundRow, SaleRow } from "../ledger/list-sales.ts";
import type { PaymentSums, SumsAsked } from "../ledger/money.ts";
import { openPostgresReading, type PostgresReading } from "../ledger/postgres/read-only.ts";
import type { LedgerReport, Period } from "../ledger/report.ts";
import { auditLedger } from "../ledger/sqlite/audit.ts";
import { createExplainedQueries } from "../ledger/sqlite/explained.ts";
import { listIncome } from "../ledger/sqlite/list-income.ts";
import { listCorrections, listRefunds, listSales } from "../ledger/sqlite/list-sales.ts";
import { openLedgerFile } from "../ledger/sqlite/open.ts";
import { reportLedger } from "../ledger/sqlite/report.ts";
import { createSqliteMoney } from "../ledger/sqlite/sqlite-money.ts";
import { createSqliteStories } from "../ledger/sqlite/sqlite-stories.ts";
import type { Stories, StoryWord } from "../ledger/stories.ts";

/** The queries of commands on the books, in a file or a database, while a node may be writing. */
export const auditAt = (place: LedgerPlace): Promise<AuditReport> =>
  place.address === null ? inFile(place.file, auditLedger) : inDatabase(place.address, (reading) => reading.audit());

export const reportAt = (place: LedgerPlace, period: Period): Promise<LedgerReport> =>
  place.address === null
    ? inFile(place.file, (db) => reportLedger(db, period))
    : inDatabase(place.address, (reading) => reading.report(period));

/** Income through networks in a period. */
export const incomeAt = (place: LedgerPlace, period: Period): Promise<readonly IncomeRow[]> =>
  place.address === null
    ? inFile(place.file, (db) => listIncome(db, period))
    : inDatabase(place.address, (reading) => reading.income(period));
/** The stories in the books that match the words of a complaint. */
export const findStoriesAt = (place: LedgerPlace, word: StoryWord): Promise<Stories> =>
  place.address === null
    ? inFile(place.file, (db) => createSqliteStories(db).find(word))
    : inDatabase(place.address, (reading) => reading.find(word));

/** Refunds made by hand in a period, oldest first. */
export const refundsAt = (place: LedgerPlace, period: Period): Promise<readonly RefundRow[]> =>
  place.address === null
    ? inFile(place.file, (db) => listRefunds(db, period))
    : inDatabase(place.address, (reading) => reading.refunds(period));

/** Corrections made by hand in a period, oldest first. */
export const correctionsAt = (place: LedgerPlace, period: Period): Promise<readonly CorrectionRow[]> =>
  place.address === null
    ? inFile(place.file, (db) => listCorrections(db, period))
    : inDatabase(place.address, (reading) => reading.corrections(period));

/** Transfers to wallets that are not sales, with the operator's explanation, newest first. */
export const explainedAt = (place: LedgerPlace): Promise<readonly ExplainedTransfer[]> =>
  place.address === null
    ? inFile(place.file, (db) => createExplainedQueries(db).list(EXPLAINED_MAX))
    : inDatabase(place.address, (reading) => reading.explained());

/** Sums of the payments of a period, grouped. */
export const sumsAt = (place: LedgerPlace, asked: SumsAsked): Promise<readonly PaymentSums[]> =>
  place.address === null
    ? inFile(place.file, (db) => createSqliteMoney(db).sums(asked))
    : inDatabase(place.address, (reading) => reading.sums(asked));

/** Lists the sales of a period, oldest first. */
export const withSales = (
  place: LedgerPlace,
  period: Period,
  use: (sales: Iterable<SaleRow>) => void,
): Promise<void> =>
  place.address === null
    ? inFile(place.file, (db) => use(listSales(db, period)))
    : inDatabase(place.address, async (reading) => use(await reading.sales(period)));

async function inFile<T>(file: string, work: (db: ReturnType<typeof openLedgerFile>) => T | Promise<T>): Promise<T> {
  const db = openLedgerFile(file, { readonly: true });
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

type Address = Parameters<typeof openPostgresReading>[0];

async function inDatabase<T>(address: Address, work: (reading: PostgresReading) => Promise<T>): Promise<T> {
  const reading = await openPostgresReading(address);
  try {
    return await work(reading);
  } finally {
    await reading.close();
  }
}
