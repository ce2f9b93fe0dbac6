import type { Database } from "bun:sqlite";

/** One movement on a balance, or the calls of a pass in one minute. Amounts in atomic USDC, times in ms. */
export interface StatementLine {
  /** Ledger time, microseconds. */
  readonly id: number;
  readonly at_ms: number;
  readonly kind: "grant" | "call" | "refund" | "expiry";
  /** Public id of the key: of the child, for what a child called. */
  readonly key: string;
  readonly product: string | null;
  readonly access: "debit" | "pass" | null;
  /** Calls this line stands for: those of a pass are added up by the minute. 0 for what is no call. */
  readonly times: number;
  /** Above 0: the balance went up. */
  readonly change: bigint;
  /** The balance after this line. */
  readonly balance: bigint;
  /** A call that was given back since. */
  readonly refunded: boolean;
  /** Grants only: the plan, what was paid for it, and by which payment. */
  readonly plan: string | null;
  readonly paid: bigint | null;
  readonly payment_id: string | null;
}

export interface StatementPage {
  readonly opening: bigint;
  readonly closing: bigint;
  /** Newest first. */
  readonly lines: readonly StatementLine[];
  /** What to ask for next, as `before`; null on the last page. */
  readonly next_before: number | null;
}

export interface StatementOf {
  readonly key_id: number;
  /** The account drawn on; null when there never was one. */
  readonly account: string | null;
  /** A child key draws on its parent's account. */
  readonly is_child: boolean;
}

/** A line as either engine gives it. */
export interface StatementRow {
  id: bigint;
  kind: StatementLine["kind"];
  key: string;
  product: string | null;
  access: "debit" | "pass" | null;
  times: bigint;
  change: bigint;
  refunded: bigint;
  plan: string | null;
  paid: bigint | null;
  payment_id: string | null;
}

type Range = Record<`$${string}`, string | number | null>;

const NO_GRANT = "NULL AS plan, NULL AS paid, NULL AS payment_id";

export function createStatementPages(db: Database) {
  const pages = prepare(db);

  /** What a child spent less what came back; for any other key the posted balance, whatever the lines say. */
  const closingNow = ({ key_id, account, is_child }: StatementOf): bigint => {
    if (account === null) return 0n;
    if (!is_child) return pages.posted.get(account)?.amount ?? 0n;
    const returned = pages.returned.get({ $account: account, $only: key_id, $from: 0 })?.amount ?? 0n;
    return returned - (pages.spent.get(key_id)?.amount ?? 0n);
  };

  return (of: StatementOf, { before, limit }: { before?: number | undefined; limit: number }): StatementPage => {
    const { key_id } = of;
    const own = { $account: of.account ?? "", $only: of.is_child ? key_id : null };
    const sum = (query: typeof pages.granted, values: Range): bigint => query.get(values)?.amount ?? 0n;
    let closing = closingNow(of);
    if (before !== undefined) {
      const from = { ...own, $from: before };
      closing += sum(pages.called, { $key: key_id, $only: own.$only, $from: before });
      closing += sum(pages.expired, from) - sum(pages.returned, from);
      if (!of.is_child) closing -= sum(pages.granted, { $key: key_id, $from: before });
    }
    // One more than is shown tells whether there is another page.
    const range = { $before: before ?? Number.MAX_SAFE_INTEGER, $limit: limit + 1 };
    const of_key = { $key: key_id, ...range };
    const rows = [
      ...pages.calls.all({ ...of_key, $only: own.$only }),
      ...pages.expiries.all({ ...own, ...range }),
      ...pages.returns.all({ ...own, ...range }),
      ...pages.passes.all(of_key),
      ...(of.is_child ? [] : pages.grants.all(of_key)),
    ];
    return readPage(rows, { closing, limit });
  };
}

/** Reads balances back from the last one. `rows`: one more than `limit` when there is another page. */
export function readPage(
  rows: readonly StatementRow[],
  { closing, limit }: { readonly closing: bigint; readonly limit: number },
): StatementPage {
  const newest = [...rows].sort((a, b) => Number(b.id - a.id));
  let balance = closing;
  const lines = newest.slice(0, limit).map((row): StatementLine => {
    const after = balance;
    balance -= row.change;
    const id = Number(row.id);
    const { times, refunded, ...rest } = row;
    const at_ms = Math.floor(id / 1000);
    return { ...rest, id, at_ms, times: Number(times), balance: after, refunded: refunded === 1n };
  });
  return { opening: balance, closing, lines, next_before: newest.length > limit ? (lines.at(-1)?.id ?? null) : null };
}

/**
 * `$only`: the id of the one key whose calls count, or null for those of every key of the account. Each call names the
 * one before it of its key: what was drawn is read back along them, newest first, and needs no index.
 */
function prepare(db: Database) {
  type Sum = { amount: bigint };
  const own = `own (id) AS (
    SELECT $key UNION ALL SELECT k.id FROM keys k WHERE k.parent = $key AND $only IS NULL
  )`;
  const callsFrom = (first: string, until: string) => `WITH RECURSIVE ${own}, chain (id) AS (
      SELECT ${first} AS first FROM own CROSS JOIN key_usage u ON u.key_id = own.id WHERE first >= ${until}
      UNION ALL
      SELECT c.previous FROM chain CROSS JOIN calls c WHERE c.id = chain.id AND c.previous >= ${until}
      ORDER BY 1 DESC
    )`;
  const calls = "FROM chain CROSS JOIN calls c ON c.id = chain.id WHERE c.access = 'debit'";
  const expiries = `FROM transfers t INDEXED BY transfers_expired
    WHERE t.source = $account AND t.kind = 'expiry' AND $only IS NULL`;
  const returns = `FROM transfers t INDEXED BY transfers_back
    JOIN calls c ON c.id = CAST(substr(t.reference, 6) AS INTEGER)
    WHERE t.target = $account AND t.kind = 'refund' AND ($only IS NULL OR c.key_id = $only)`;
  const newest = "ORDER BY 1 DESC LIMIT $limit";
  // A page goes on where the one before ended, which mostly is a call of this key.
  const next = "coalesce((SELECT previous FROM calls WHERE id = $before AND key_id = own.id), u.last_call)";
  return {
    posted: db.query<Sum, [string]>("SELECT posted AS amount FROM accounts WHERE id = ?"),
    spent: db.query<Sum, [number]>("SELECT spent AS amount FROM key_usage WHERE key_id = ?"),
    called: db.query<Sum, Range>(
      `${callsFrom("u.last_call", "max($from, 1)")} SELECT coalesce(sum(c.amount), 0) AS amount ${calls}`,
    ),
    expired: db.query<Sum, Range>(`SELECT coalesce(sum(t.amount), 0) AS amount ${expiries} AND t.id >= $from`),
    returned: db.query<Sum, Range>(`SELECT coalesce(sum(t.amount), 0) AS amount ${returns} AND t.id >= $from`),
    granted: db.query<Sum, Range>(
      "SELECT coalesce(sum(credit), 0) AS amount FROM grants WHERE key_id = $key AND at >= $from",
    ),
    calls: db.query<StatementRow, Range>(
      `${callsFrom(next, "1")}
       SELECT c.id, 'call' AS kind, (SELECT public_id FROM keys WHERE id = c.key_id) AS key, c.product, c.access,
         c.times, -c.amount AS change,
         EXISTS (SELECT 1 FROM transfers r WHERE r.kind = 'refund' AND r.reference = 'call:' || c.id) AS refunded,
         ${NO_GRANT} ${calls} AND c.id < $before LIMIT $limit`,
    ),
    expiries: db.query<StatementRow, Range>(
      `SELECT t.id, 'expiry' AS kind, substr($account, 8) AS key, NULL AS product, NULL AS access, 0 AS times,
         -t.amount AS change, 0 AS refunded, ${NO_GRANT} ${expiries} AND t.id < $before ${newest}`,
    ),
    returns: db.query<StatementRow, Range>(
      `SELECT t.id, 'refund' AS kind, (SELECT public_id FROM keys WHERE id = c.key_id) AS key, c.product,
         NULL AS access, 0 AS times, t.amount AS change, 0 AS refunded, ${NO_GRANT}
       ${returns} AND t.id < $before ${newest}`,
    ),
    passes: db.query<StatementRow, Range>(
      `SELECT c.id, 'call' AS kind, (SELECT public_id FROM keys WHERE id = c.key_id) AS key, c.product, c.access,
         c.times, 0 AS change, 0 AS refunded, ${NO_GRANT}
       FROM calls c INDEXED BY calls_of_passes
       WHERE c.key_id = $key AND c.access = 'pass' AND c.id < $before ${newest}`,
    ),
    grants: db.query<StatementRow, Range>(
      `SELECT g.at AS id, 'grant' AS kind, (SELECT public_id FROM keys WHERE id = g.key_id) AS key, NULL AS product,
         NULL AS access, 0 AS times, g.credit AS change, 0 AS refunded, g.plan, g.paid, g.payment_id
       FROM grants g WHERE g.key_id = $key AND g.at < $before ${newest}`,
    ),
  };
}
