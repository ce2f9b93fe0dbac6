import type { Database } from "bun:sqlite";
import { messageOf } from "../../core/errors.ts";
import {
  type AuditFinding,
  type AuditReport,
  FINDINGS_MAX,
  RECEIPT_LINES,
  type ReceiptLine,
  renderReceiptLine,
} from "../audit.ts";
import { AUDIT_RULES } from "../audit-rules.ts";
import { sqliteCodeOf, storageFaultOf } from "../storage-errors.ts";

/**
 * Proves the books: every rule over every row, and the file's own integrity. Reads only, and one snapshot, so that a
 * node may go on writing beside it.
 */
export function auditLedger(db: Database): AuditReport {
  const findings: AuditFinding[] = [];
  try {
    return db.transaction(() => auditSnapshot(db, findings))();
  } catch (error) {
    findings.push({ rule: "file", message: `it cannot be read to its end: ${reasonOf(error)}` });
    const nothing = { accounts: [], payments: {}, receipts: 0, transfers: 0, receipts_digest: "" };
    return { ok: false, findings, ...nothing };
  }
}

/**
 * Why a question could not be answered, when the file is the reason: that is a finding.
 * @throws the error when it is not: another process holds the file, or the disk fails.
 */
function reasonOf(error: unknown): string {
  const fault = storageFaultOf(error);
  if (sqliteCodeOf(error) === "" || fault === "busy" || fault === "failing") throw error;
  return messageOf(error);
}

function auditSnapshot(db: Database, findings: AuditFinding[]): AuditReport {
  const integrity = db.query("PRAGMA integrity_check(10)").all() as Record<string, unknown>[];
  for (const row of integrity) {
    const text = String(Object.values(row)[0]);
    if (text !== "ok") findings.push({ rule: "file", message: text });
  }
  for (const row of db.query("PRAGMA foreign_key_check").all() as Record<string, unknown>[]) {
    findings.push({ rule: "file", message: `dangling reference in ${String(row.table)}` });
  }
  for (const { rule, what, sql } of AUDIT_RULES) {
    try {
      for (const row of db.query(`${sql} LIMIT ${FINDINGS_MAX}`).all() as { id: unknown }[]) {
        findings.push({ rule, message: `${what}: ${String(row.id)}` });
      }
    } catch (error) {
      findings.push({ rule, message: `cannot be checked: ${reasonOf(error)}` });
    }
  }
  const accounts = readAccounts(db, findings);
  const total = accounts.reduce((sum, account) => sum + account.posted, 0n);
  if (total !== 0n) findings.push({ rule: "I1", message: `all accounts together hold ${total}, not 0` });
  const count = (table: string) => Number((db.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: bigint }).n);
  // With those that were dropped since: all there ever were.
  const counts = `SELECT state, sum(n) AS n FROM (SELECT state, count(*) AS n FROM payments GROUP BY state
    UNION ALL SELECT state, count FROM pruned_payments) GROUP BY state`;
  const states = db.query(counts).all() as {
    state: string;
    n: bigint;
  }[];
  return {
    ok: findings.length === 0,
    findings,
    accounts,
    payments: Object.fromEntries(states.map(({ state, n }) => [state, Number(n)])),
    receipts: count("receipts"),
    transfers: count("transfers"),
    receipts_digest: digestReceipts(db),
  };
}

/** Balances. In a damaged file a whole number may have become something else: that is a finding, not a crash. */
function readAccounts(db: Database, findings: AuditFinding[]): AuditReport["accounts"] {
  const rows = db.query("SELECT id, posted, pending FROM accounts ORDER BY id").all() as AuditReport["accounts"];
  return rows.filter(({ id, posted, pending }) => {
    const whole = typeof posted === "bigint" && typeof pending === "bigint";
    if (!whole) findings.push({ rule: "file", message: `the balance of ${String(id)} is no whole number` });
    return whole;
  });
}

function digestReceipts(db: Database): string {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const row of db.query(`${RECEIPT_LINES} ORDER BY seq`).iterate() as Iterable<ReceiptLine>) {
    hasher.update(renderReceiptLine(row));
  }
  return hasher.digest("hex");
}
