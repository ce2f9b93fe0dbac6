import type { AuditReport } from "../audit.ts";
import { EXPLAINED_MAX, type ExplainedTransfer } from "../explained.ts";
import { INCOME, type IncomeRow, type StoredIncome, toIncomeRow } from "../list-income.ts";
import {
  CORRECTIONS,
  type CorrectionRow,
  REFUNDS,
  type RefundRow,
  SALES,
  type SaleRow,
  type StoredRefundRow,
  type StoredSale,
  toRefundRow,
  toSaleRow,
} from "../list-sales.ts";
import type { PaymentSums, SumsAsked } from "../money.ts";
import { composeReport, type LedgerReport, type Period, REPORT_QUESTIONS, type ReportRows } from "../report.ts";
import { LedgerOpenError } from "../sqlite/migrate.ts";
import type { Stories, StoryWord } from "../stories.ts";
import { type PostgresAddress, renderAddress } from "./address.ts";
import { auditPostgres } from "./audit.ts";
import { connect } from "./connect.ts";
import { createExplainedQueries } from "./corrections.ts";
import { POSTGRES_MIGRATIONS, readSchema } from "./migrate.ts";
import { createMoneyQueries } from "./money.ts";
import { createReader, type Reader } from "./reader.ts";
import { createPostgresStories } from "./stories.ts";

/** What the operator's commands ask of the books, while nodes go on writing. Nothing here changes anything. */
export interface PostgresReading {
  audit(): Promise<AuditReport>;
  report(period: Period): Promise<LedgerReport>;
  sales(period: Period): Promise<readonly SaleRow[]>;
  income(period: Period): Promise<readonly IncomeRow[]>;
  refunds(period: Period): Promise<readonly RefundRow[]>;
  corrections(period: Period): Promise<readonly CorrectionRow[]>;
  explained(): Promise<readonly ExplainedTransfer[]>;
  sums(asked: SumsAsked): Promise<readonly PaymentSums[]>;
  find(word: StoryWord): Promise<Stories>;
  close(): Promise<void>;
}

/** @throws LedgerOpenError when there is no ledger of this program's schema. */
export async function openPostgresReading(address: PostgresAddress): Promise<PostgresReading> {
  const pool = connect(address, 1);
  const snapshot = <T>(work: (reader: Reader) => Promise<T>): Promise<T> =>
    pool.begin("isolation level repeatable read read only", (tx) => work(createReader(tx, []))) as Promise<T>;
  try {
    const { schema } = await readSchema(pool);
    if (schema !== POSTGRES_MIGRATIONS.length) {
      const where = renderAddress(address);
      throw new LedgerOpenError(
        schema === 0
          ? `${where} holds no ledger.`
          : `${where} has schema ${schema}, this program knows ${POSTGRES_MIGRATIONS.length}.`,
      );
    }
  } catch (error) {
    await pool.close({ timeout: 0 });
    throw error;
  }
  return {
    audit: () => snapshot(auditPostgres),
    report: (period) => snapshot(async (reader) => composeReport(period, await readReport(reader, period))),
    sales: (period) => snapshot(async (reader) => (await ask<StoredSale>(reader, SALES, period)).map(toSaleRow)),
    income: (period) => snapshot(async (reader) => (await ask<StoredIncome>(reader, INCOME, period)).map(toIncomeRow)),
    refunds: (period) =>
      snapshot(async (reader) => (await ask<StoredRefundRow>(reader, REFUNDS, period)).map(toRefundRow)),
    corrections: (period) =>
      snapshot(async (reader) => (await ask<StoredRefundRow>(reader, CORRECTIONS, period)).map(toRefundRow)),
    explained: () => snapshot((reader) => createExplainedQueries(reader).list(EXPLAINED_MAX)),
    sums: (asked) => snapshot((reader) => createMoney(reader).sums(asked)),
    find: (word) => snapshot((reader) => createPostgresStories(reader).find(word)),
    close: async () => pool.close({ timeout: 1 }),
  };
}

const createMoney = (reader: Reader) => createMoneyQueries({ reader, inSnapshot: (work) => work(reader) });

/** A question with names in it, as PostgreSQL numbers them. */
function ask<T>(reader: Reader, sql: string, { from_ms, until_ms }: Period): Promise<T[]> {
  const known = { $from: from_ms * 1000, $until: until_ms * 1000 };
  const names = (["$from", "$until"] as const).filter((name) => sql.includes(name));
  const numbered = names.reduce((text, name, n) => text.replaceAll(name, `$${n + 1}::bigint`), sql);
  return reader.all<T>(
    numbered,
    names.map((name) => known[name]),
  );
}

async function readReport(reader: Reader, period: Period): Promise<ReportRows> {
  const rows: Partial<Record<keyof ReportRows, readonly unknown[]>> = {};
  for (const name of Object.keys(REPORT_QUESTIONS) as (keyof ReportRows)[]) {
    rows[name] = await ask(reader, REPORT_QUESTIONS[name], period);
  }
  return rows as unknown as ReportRows;
}
