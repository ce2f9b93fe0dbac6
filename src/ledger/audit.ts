import type { Database } from "bun:sqlite";
import { sha256Hex } from "../core/hash.ts";

export interface AuditFinding {
  /** The invariant, such as "I1". */
  readonly rule: string;
  readonly message: string;
}

export interface AuditReport {
  readonly ok: boolean;
  readonly findings: readonly AuditFinding[];
  readonly accounts: readonly { readonly id: string; readonly posted: bigint; readonly pending: bigint }[];
  readonly payments: Readonly<Record<string, number>>;
  readonly receipts: number;
  readonly transfers: number;
  /** SHA-256 over "id network transaction amount" of every receipt in order; anybody can rebuild it from /receipts. */
  readonly receipts_digest: string;
}

const FINDINGS_MAX = 100;

/** One query per rule: each returns the rows that break it. */
const RULES: readonly { readonly rule: string; readonly what: string; readonly sql: string }[] = [
  {
    rule: "I1",
    what: "transfer without two different accounts or a positive amount",
    sql: `SELECT t.id FROM transfers t LEFT JOIN accounts s ON s.id = t.source LEFT JOIN accounts g ON g.id = t.target
          WHERE s.id IS NULL OR g.id IS NULL OR t.source = t.target OR t.amount <= 0`,
  },
  {
    rule: "I2",
    what: "account whose posted balance is not the sum of its postings",
    sql: `SELECT a.id FROM accounts a LEFT JOIN postings p ON p.account_id = a.id
          GROUP BY a.id HAVING a.posted <> coalesce(sum(p.amount), 0)`,
  },
  {
    rule: "I3",
    what: "credit account below zero",
    sql: "SELECT id FROM accounts WHERE kind = 'credit' AND posted < pending",
  },
  {
    rule: "I5",
    what: "payment with more than one receipt, or a chain transaction receipted twice on one network",
    sql: `SELECT chain_transaction AS id FROM receipts GROUP BY network, chain_transaction HAVING count(*) > 1`,
  },
  {
    rule: "I6",
    what: "settled payment without a receipt, or receipt without a settled payment",
    sql: `SELECT p.id FROM payments p LEFT JOIN receipts r ON r.payment_id = p.id
          WHERE (p.state = 'settled') <> (r.id IS NOT NULL)`,
  },
  {
    rule: "I6",
    what: "receipt whose amount, network or product is not its payment's",
    sql: `SELECT r.id FROM receipts r JOIN payments p ON p.id = r.payment_id
          WHERE r.amount <> p.amount OR r.network <> p.network OR r.product <> p.product`,
  },
  {
    rule: "I6",
    what: "receipt whose transfer does not move its amount in from its network",
    sql: `SELECT r.id FROM receipts r LEFT JOIN transfers t ON t.id = r.transfer_id
          WHERE t.amount IS NOT r.amount OR t.source IS NOT 'chain:' || r.network`,
  },
  {
    rule: "I6",
    what: "total that is not the sum of its receipts",
    sql: `SELECT coalesce(t.product, r.product) AS id FROM
            (SELECT product, label, count(*) AS count, sum(amount) AS amount FROM receipts GROUP BY product, label) r
            FULL JOIN receipt_totals t ON t.product = r.product AND t.label = r.label
          WHERE t.count IS NOT r.count OR t.amount IS NOT r.amount`,
  },
  {
    rule: "I7",
    what: "payment that was or may be charged without a stored answer",
    sql: "SELECT id FROM payments WHERE state IN ('settling', 'unknown') AND answer IS NULL",
  },
  {
    rule: "I9",
    what: "receipt that is not later than the one before",
    sql: `SELECT id FROM (SELECT id, settled_at, lag(settled_at) OVER (ORDER BY seq) AS before FROM receipts)
          WHERE settled_at <= before`,
  },
];

/** Proves the books: every rule over every row, and the file's own integrity. Reads only. */
export function auditLedger(db: Database): AuditReport {
  const findings: AuditFinding[] = [];
  const integrity = db.query("PRAGMA integrity_check(10)").all() as Record<string, unknown>[];
  for (const row of integrity) {
    const text = String(Object.values(row)[0]);
    if (text !== "ok") findings.push({ rule: "file", message: text });
  }
  for (const row of db.query("PRAGMA foreign_key_check").all() as Record<string, unknown>[]) {
    findings.push({ rule: "file", message: `dangling reference in ${String(row.table)}` });
  }
  for (const { rule, what, sql } of RULES) {
    for (const row of db.query(`${sql} LIMIT ${FINDINGS_MAX}`).all() as { id: unknown }[]) {
      findings.push({ rule, message: `${what}: ${String(row.id)}` });
    }
  }
  const accounts = db.query("SELECT id, posted, pending FROM accounts ORDER BY id").all() as AuditReport["accounts"];
  const total = accounts.reduce((sum, account) => sum + account.posted, 0n);
  if (total !== 0n) findings.push({ rule: "I1", message: `all accounts together hold ${total}, not 0` });
  const count = (table: string) => Number((db.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: bigint }).n);
  const states = db.query("SELECT state, count(*) AS n FROM payments GROUP BY state").all() as {
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

function digestReceipts(db: Database): string {
  const lines: string[] = [];
  const rows = db.query("SELECT id, network, chain_transaction AS tx, amount FROM receipts ORDER BY seq");
  for (const row of rows.iterate() as Iterable<{ id: string; network: string; tx: string; amount: bigint }>) {
    lines.push(`${row.id} ${row.network} ${row.tx} ${row.amount}\n`);
  }
  return sha256Hex(lines.join(""));
}
