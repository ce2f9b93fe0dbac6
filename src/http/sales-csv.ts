import type { SaleAnswer } from "../admin/answers.ts";

const COLUMNS = [
  ...(["settled_at", "product", "amount_usd", "payer", "network", "transaction", "receipt_id"] as const),
  ...(["label", "on_chain", "amount_atomic"] as const),
] as const;

/** Sales as RFC 4180 CSV, as `intel-node sales --csv`. No id, address or path holds a comma or a quote. */
export const renderSalesCSV = (items: readonly SaleAnswer[]): string =>
  [COLUMNS.join(","), ...items.map((sale) => COLUMNS.map((name) => sale[name]).join(",")), ""].join("\r\n");
