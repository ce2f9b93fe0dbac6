import type { AuditReport } from "../ledger/audit.ts";

/** JSON text of a value with amounts, which become decimal strings. */
export const renderJSON = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? part.toString() : part));

interface Totals {
  readonly accounts: AuditReport["accounts"];
  /** Sum of the prepaid balances, because there may be very many. */
  readonly credit: { readonly keys: number; readonly posted: bigint; readonly pending: bigint };
}

function totalsOf({ accounts }: AuditReport): Totals {
  const credits = accounts.filter(({ id }) => id.startsWith("credit:"));
  const sum = (name: "posted" | "pending") => credits.reduce((total, account) => total + account[name], 0n);
  return {
    accounts: accounts.filter(({ id }) => !id.startsWith("credit:")),
    credit: { keys: credits.length, posted: sum("posted"), pending: sum("pending") },
  };
}

/** An audit without the balance of every key, for machines. */
export const summariseAudit = (report: AuditReport) => ({ ...report, ...totalsOf(report) });

/** The results of an audit, line by line. */
export function renderAudit(report: AuditReport): readonly string[] {
  const { accounts, credit } = totalsOf(report);
  const { transfers, receipts, receipts_digest, findings } = report;
  const line = (name: string, text: string) => `${name.padEnd(48)} ${text}`;
  return [
    ...accounts.map(({ id, posted }) => line(id, String(posted))),
    ...(credit.keys > 0
      ? [line(`credit (${credit.keys} keys)`, `${credit.posted}, ${credit.pending} of it held`)]
      : []),
    `${transfers} transfers, ${receipts} receipts, digest ${receipts_digest}`,
    ...findings.map(({ rule, message }) => `BROKEN ${rule}: ${message}`),
  ];
}
