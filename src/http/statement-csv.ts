import { renderTime } from "../core/clock.ts";
import { renderCSVRow } from "../core/csv.ts";
import { renderUSD } from "../core/money.ts";
import type { StatementLine } from "../ledger/statement-pages.ts";

/** A line of a statement as it is shown: every member in every line, null where it means nothing. */
export const renderLine = ({ id, at_ms, kind, key, times, change, balance, paid, ...line }: StatementLine) => ({
  id: `${kind}_${id}`,
  at: renderTime(at_ms),
  kind,
  key_id: key,
  product: line.product,
  plan: line.plan,
  access: line.access,
  calls: times,
  change_atomic: change.toString(),
  change_usd: renderUSD(change),
  balance_atomic: balance.toString(),
  balance_usd: renderUSD(balance),
  refunded: line.refunded,
  paid_atomic: paid?.toString() ?? null,
  paid_usd: paid === null ? null : renderUSD(paid),
  payment_id: line.payment_id,
});

const COLUMNS = [
  "id",
  "at",
  "kind",
  "key_id",
  "product",
  "plan",
  "access",
  "calls",
  "change_atomic",
  "change_usd",
  "balance_atomic",
  "balance_usd",
  "refunded",
  "paid_atomic",
  "paid_usd",
  "payment_id",
] as const satisfies readonly (keyof ReturnType<typeof renderLine>)[];

/** A statement as RFC 4180 CSV. */
export function renderCSV(lines: readonly StatementLine[]): string {
  const rows = lines.map((line) => {
    const shown = renderLine(line);
    return renderCSVRow(COLUMNS.map((column) => shown[column]));
  });
  return [COLUMNS.join(","), ...rows, ""].join("\r\n");
}
