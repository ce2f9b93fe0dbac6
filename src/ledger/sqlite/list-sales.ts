import type { Database } from "bun:sqlite";
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

/** What was sent back in a period, oldest first. */
export function listRefunds(db: Database, period: { from_ms: number; until_ms: number }): readonly RefundRow[] {
  const values = { $from: period.from_ms * 1000, $until: period.until_ms * 1000 };
  return db.query<StoredRefundRow, typeof values>(REFUNDS).all(values).map(toRefundRow);
}

/** What was corrected in a period, oldest first. */
export function listCorrections(db: Database, period: { from_ms: number; until_ms: number }): readonly CorrectionRow[] {
  const values = { $from: period.from_ms * 1000, $until: period.until_ms * 1000 };
  return db.query<StoredRefundRow, typeof values>(CORRECTIONS).all(values).map(toRefundRow);
}

/** Every payment that was settled in a period, oldest first. Reads only: a node may go on writing beside it. */
export function* listSales(db: Database, period: { from_ms: number; until_ms: number }): Generator<SaleRow> {
  const values = { $from: period.from_ms * 1000, $until: period.until_ms * 1000 };
  for (const row of db.query<StoredSale, typeof values>(SALES).iterate(values)) yield toSaleRow(row);
}
