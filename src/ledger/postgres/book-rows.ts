import { type ChargeRows, createChargeRows } from "./charge-rows.ts";
import { createSaleRefundRows, type SaleRefundRows, type StoredSales } from "./sale-refund-rows.ts";

/** What the commands of a batch are decided by, and what they change. */
export interface BookRows extends Omit<ChargeRows, "renderChanges"> {
  readonly refunds: SaleRefundRows;
  /** As `write_batch` takes them. */
  renderChanges(): string;
}

/** What `lock_batch` answers when it locked. */
export interface StoredRows {
  readonly charges: unknown;
  readonly refunds?: StoredSales;
}

export function createBookRows({ charges, refunds: sales }: StoredRows): BookRows {
  const rows = createChargeRows(charges);
  const refunds = createSaleRefundRows(sales);
  return {
    ...rows,
    refunds,
    renderChanges: () => rows.renderChanges(refunds.added.length > 0 ? { refunds: refunds.added } : null),
  };
}
