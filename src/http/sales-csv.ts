import type { SaleAnswer } from "../admin/answers.ts";
import { renderCSVRow } from "../core/csv.ts";

const COLUMNS = [
  ...(["settled_at", "product", "amount_usd", "payer", "network", "transaction", "receipt_id"] as const),
  ...(["label", "on_chain", "amount_atomic", "received_usd", "received_atomic"] as const),
  ...(["given_back_usd", "given_back_atomic", "method", "authorized_atomic"] as const),
] as const;

/** Sales as RFC 4180 CSV, as `intel-node sales --csv`; refunds have rows of their own there. */
export const renderSalesCSV = (items: readonly SaleAnswer[]): string =>
  [renderCSVRow(COLUMNS), ...items.map(renderRow), ""].join("\r\n");

/** What never landed was not received. */
function renderRow(sale: SaleAnswer): string {
  const has_landed = sale.on_chain !== "missing";
  const row = {
    ...sale,
    received_usd: has_landed ? sale.amount_usd : "0.00",
    received_atomic: has_landed ? sale.amount_atomic : "0",
    given_back_usd: "0.00",
    given_back_atomic: "0",
    method: "received",
  };
  return renderCSVRow(COLUMNS.map((name) => row[name]));
}
