import { renderTime } from "../core/clock.ts";
import { renderCSVRow } from "../core/csv.ts";
import { messageOf } from "../core/errors.ts";
import { escapeInvisible } from "../core/foreign-text.ts";
import { renderUSD } from "../core/money.ts";
import type { SaleRow } from "../ledger/list-sales.ts";
import { withSales } from "./ask-ledger.ts";
import { findLedger } from "./data-folder.ts";
import { EXIT } from "./exit-codes.ts";
import type { ReportOptions } from "./ledger-report.ts";
import { print, printError } from "./print.ts";
import { PERIOD_FAULT, readPeriod } from "./read-period.ts";

const COLUMNS = [
  ...(["settled_at", "product", "amount_usd", "payer", "network", "transaction", "receipt_id"] as const),
  ...(["label", "on_chain", "amount_atomic"] as const),
] as const;
type Column = (typeof COLUMNS)[number];

const toColumns = ({ settled_at_ms, amount, on_chain, ...row }: SaleRow): Record<Column, string> => ({
  ...row,
  settled_at: renderTime(settled_at_ms),
  amount_usd: renderUSD(amount),
  amount_atomic: amount.toString(),
  on_chain: on_chain ?? "unchecked",
});

/**
 * Prints one line per settled payment of a period; works while the node runs. What keys, passes and vouchers of
 * payment channels paid for stands in `ledger report`, and for keys in their statements.
 */
export async function salesCommand(options: ReportOptions): Promise<number> {
  const period = readPeriod(options);
  if (period === null) {
    printError(PERIOD_FAULT);
    return EXIT.config;
  }
  const found = await findLedger(options);
  if ("faults" in found) {
    printError(found.faults);
    return EXIT.config;
  }
  try {
    await withSales(found, period, (sales) => {
      const rows = Iterator.from(sales).map(toColumns);
      if (options.json) print(JSON.stringify({ sales: [...rows] }));
      else if (options.csv) printCSV(rows);
      else printText(rows);
    });
    return EXIT.ok;
  } catch (error) {
    printError(messageOf(error));
    return EXIT.failed;
  }
}

function printCSV(rows: Iterable<Record<Column, string>>): void {
  print(renderCSVRow(COLUMNS));
  for (const row of rows) print(renderCSVRow(COLUMNS.map((name) => row[name])));
}

function printText(rows: Iterable<Record<Column, string>>): void {
  let count = 0;
  for (const { settled_at, product, amount_usd, payer, network, transaction, label } of rows) {
    const mark = label === "organic" ? "" : `  ${label}`;
    const what = `${product.padEnd(24)} ${amount_usd.padStart(10)}`;
    print(escapeInvisible(`${settled_at}  ${what}  ${payer}  ${network}  ${transaction}${mark}`));
    count += 1;
  }
  print(`${count} ${count === 1 ? "sale" : "sales"}`);
}
