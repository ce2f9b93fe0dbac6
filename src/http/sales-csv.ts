import type { SaleAnswer } from "../admin/answers.ts";
import { renderCSVRow } from "../core/csv.ts";

const COLUMNS = [
  ...(["settled_at", "product", "amount_usd", "payer", "network", "transaction", "receipt_id"] as const),
  ...(["label", "on_chain", "amount_atomic"] as const),
] as const;

/** Sales as RFC 4180 CSV, as `intel-node sales --csv`. */
export const renderSalesCSV = (items: readonly SaleAnswer[]): string =>
  [renderCSVRow(COLUMNS), ...items.map((sale) => renderCSVRow(COLUMNS.map((name) => sale[name]))), ""].join("\r\n");
