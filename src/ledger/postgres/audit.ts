import {
  type AuditFinding,
  type AuditReport,
  FINDINGS_MAX,
  RECEIPT_LINES,
  type ReceiptLine,
  renderReceiptLine,
} from "../audit.ts";
import { AUDIT_RULES } from "../audit-rules.ts";
import type { Reader } from "./reader.ts";

/** Rules of this engine alone: what SQLite's tables enforce themselves, or what SQLite does not have. */
const OWN_RULES = [
  {
    rule: "I1",
    what: "credit account that is kept in parts",
    sql: "SELECT id FROM account_parts WHERE kind = 'credit' AND part <> 0",
  },
  {
    rule: "I9",
    what: "transfer of a time that its lane has not reached",
    sql: "SELECT t.id FROM transfers t JOIN lanes l ON l.lane = t.id % 16 WHERE t.id >= l.last_us",
  },
] as const;

const RECEIPTS_AT_ONCE = 10_000;

/** Proves the books: every rule over every row. @param snapshot one moment of the books. */
export async function auditPostgres(snapshot: Reader): Promise<AuditReport> {
  const { all, get } = snapshot;
  const findings: AuditFinding[] = [];
  for (const { rule, what, sql } of [...AUDIT_RULES, ...OWN_RULES]) {
    for (const { id } of await all<{ id: unknown }>(`${sql} LIMIT ${FINDINGS_MAX}`)) {
      findings.push({ rule, message: `${what}: ${String(id)}` });
    }
  }
  const accounts = await all<AuditReport["accounts"][number]>("SELECT id, posted, pending FROM accounts ORDER BY id");
  const total = accounts.reduce((sum, { posted }) => sum + posted, 0n);
  if (total !== 0n) findings.push({ rule: "I1", message: `all accounts together hold ${total}, not 0` });
  const states = await all<{ state: string; n: bigint }>(
    `SELECT state, CAST(sum(n) AS bigint) AS n FROM (SELECT state, count(*) AS n FROM payments GROUP BY state
       UNION ALL SELECT state, count FROM pruned_payments) AS counted GROUP BY state ORDER BY state`,
  );
  const counts = await get<{ receipts: bigint; transfers: bigint }>(
    "SELECT (SELECT count(*) FROM receipts) AS receipts, (SELECT count(*) FROM transfers) AS transfers",
  );
  return {
    ok: findings.length === 0,
    findings,
    accounts,
    payments: Object.fromEntries(states.map(({ state, n }) => [state, Number(n)])),
    receipts: Number(counts?.receipts ?? 0n),
    transfers: Number(counts?.transfers ?? 0n),
    receipts_digest: await digestReceipts(snapshot),
  };
}

async function digestReceipts({ all }: Reader): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for (let after = 0n; ; ) {
    const rows = await all<ReceiptLine & { seq: bigint }>(
      `${RECEIPT_LINES} WHERE seq > $1::bigint ORDER BY seq LIMIT ${RECEIPTS_AT_ONCE}`,
      [after],
    );
    for (const row of rows) hasher.update(renderReceiptLine(row));
    const last = rows.at(-1);
    if (last === undefined) return hasher.digest("hex");
    after = last.seq;
  }
}
