import { renderTime } from "../core/clock.ts";
import { messageOf } from "../core/errors.ts";
import { renderUSD } from "../core/money.ts";
import type { SaleRow } from "../ledger/list-sales.ts";
import { withSales } from "./ask-ledger.ts";
import { findLedger } from "./data-folder.ts";
import { EXIT } from "./exit-codes.ts";
import type { ReportOptions } from "./ledger-report.ts";
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
 * Prints one line per settled payment of a period; works while the node runs. What keys and passes paid for stands in
 * `ledger report` and in each key's statement.
 */
export async function salesCommand(options: ReportOptions): Promise<number> {
  const period = readPeriod(options);
  if (period === null) {
    console.error(PERIOD_FAULT);
    return EXIT.config;
  }
  const found = await findLedger(options);
  if ("faults" in found) {
    console.error(found.faults);
    return EXIT.config;
  }
  try {
    await withSales(found, period, (sales) => {
      const rows = Iterator.from(sales).map(toColumns);
      if (options.json) console.log(JSON.stringify({ sales: [...rows] }));
      else if (options.csv) printCSV(rows);
      else printText(rows);
    });
    return EXIT.ok;
  } catch (error) {
    console.error(messageOf(error));
    return EXIT.failed;
  }
}

function printCSV(rows: Iterable<Record<Column, string>>): void {
  console.log(COLUMNS.join(","));
  // Ids, addresses and paths of the ledger: none holds a comma or a quote.
  for (const row of rows) console.log(COLUMNS.map((name) => row[name]).join(","));
}

function printText(rows: Iterable<Record<Column, string>>): void {
  let count = 0;
  for (const { settled_at, product, amount_usd, payer, network, transaction, label } of rows) {
    const mark = label === "organic" ? "" : `  ${label}`;
    console.log(
      `${settled_at}  ${product.padEnd(24)} ${amount_usd.padStart(10)}  ${payer}  ${network}  ${transaction}${mark}`,
    );
    count += 1;
  }
  console.log(`${count} ${count === 1 ? "sale" : "sales"}`);
}
