import type { Database } from "bun:sqlite";
import { createLRU } from "../../core/lru.ts";
import { readPage, type StatementOf, type StatementPage, type StatementRow } from "../statement-pages.ts";

type Range = Record<`$${string}`, string | number | null>;

const NO_GRANT = "NULL AS plan, NULL AS paid, NULL AS payment_id";

/** Pages that were given out and may be gone on from. */
const OPENINGS_MAX = 1_000;

export function createStatementPages(db: Database) {
  const pages = prepare(db);
  /** The balance before a line, as a page showed it. Lines older than a line never change. */
  const openings = createLRU<{ readonly balance: bigint }>(OPENINGS_MAX);

  /** What a child spent less what came back; for any other key the posted balance, whatever the lines say. */
  const closingNow = ({ key_id, account, is_child }: StatementOf): bigint => {
    if (account === null) return 0n;
    if (!is_child) return pages.posted.get(account)?.amount ?? 0n;
    const returned = pages.returned.get({ $account: account, $only: key_id, $from: 0 })?.amount ?? 0n;
    return returned - (pages.spent.get(key_id)?.amount ?? 0n);
  };

  /** The balance now, less all that came since. */
  const closingBefore = (of: StatementOf, before: number): bigint => {
    const $only = of.is_child ? of.key_id : null;
    const on_account = { $account: of.account ?? "", $only, $from: before };
    const by_key = { $key: of.key_id, $from: before };
    const sum = (query: typeof pages.granted, values: Range): bigint => query.get(values)?.amount ?? 0n;
    const drawn = sum(pages.called, { ...by_key, $only }) + sum(pages.expired, on_account);
    const granted = of.is_child ? 0n : sum(pages.granted, by_key);
    return closingNow(of) + drawn - sum(pages.returned, on_account) - granted;
  };

  return (of: StatementOf, { before, limit }: { before?: number | undefined; limit: number }): StatementPage => {
    const place = (line: number) => `${of.key_id} ${of.account} ${of.is_child} ${line}`;
    const closing =
      before === undefined ? closingNow(of) : (openings.get(place(before))?.balance ?? closingBefore(of, before));
    // One more than is shown tells whether there is another page.
    const range = { $before: before ?? Number.MAX_SAFE_INTEGER, $limit: limit + 1 };
    const $only = of.is_child ? of.key_id : null;
    const on_account = { ...range, $account: of.account ?? "", $only };
    const of_key = { ...range, $key: of.key_id };
    const rows = [
      ...pages.calls.all({ ...of_key, $only }),
      ...pages.expiries.all(on_account),
      ...pages.returns.all(on_account),
      ...pages.passes.all(of_key),
      ...(of.is_child ? [] : pages.grants.all(of_key)),
    ];
    const page = readPage(rows, { closing, limit });
    if (page.next_before !== null) openings.set(place(page.next_before), { balance: page.opening });
    return page;
  };
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
  /** `amount` is 0 unless the call was debited. */
  const chainFrom = (first: string, until: string) => `WITH RECURSIVE ${own}, chain (id, previous, amount) AS (
      SELECT c.id, c.previous, c.amount
      FROM own CROSS JOIN key_usage u ON u.key_id = own.id CROSS JOIN calls c ON c.id = ${first} WHERE c.id >= ${until}
      UNION ALL
      SELECT c.id, c.previous, c.amount FROM chain CROSS JOIN calls c ON c.id = chain.previous WHERE c.id >= ${until}
      ORDER BY 1 DESC
    )`;
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
      `${chainFrom("u.last_call", "$from")} SELECT coalesce(sum(amount), 0) AS amount FROM chain`,
    ),
    expired: db.query<Sum, Range>(`SELECT coalesce(sum(t.amount), 0) AS amount ${expiries} AND t.id >= $from`),
    returned: db.query<Sum, Range>(`SELECT coalesce(sum(t.amount), 0) AS amount ${returns} AND t.id >= $from`),
    granted: db.query<Sum, Range>(
      "SELECT coalesce(sum(credit), 0) AS amount FROM grants WHERE key_id = $key AND at >= $from",
    ),
    calls: db.query<StatementRow, Range>(
      `${chainFrom(next, "0")}
       SELECT c.id, 'call' AS kind, (SELECT public_id FROM keys WHERE id = c.key_id) AS key, c.product, c.access,
         c.times, -c.amount AS change,
         EXISTS (SELECT 1 FROM transfers r WHERE r.kind = 'refund' AND r.reference = 'call:' || c.id) AS refunded,
         ${NO_GRANT}
       FROM chain CROSS JOIN calls c ON c.id = chain.id
       WHERE chain.id < $before AND c.access = 'debit' LIMIT $limit`,
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
