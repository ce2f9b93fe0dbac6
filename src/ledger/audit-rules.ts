import { CHANNELS } from "./audit-channels.ts";
import { CORRECTIONS } from "./audit-corrections.ts";
import { REFUNDS } from "./audit-refunds.ts";

/**
 * One rule of the books: the query returns the rows that break it, each by its id. It is written in what SQLite and
 * PostgreSQL both understand, so that every engine is held to the same rules.
 */
export interface AuditRule {
  /** The invariant, such as "I1". */
  readonly rule: string;
  readonly what: string;
  readonly sql: string;
}

/** I1 to I3: money moves by transfers only, and every balance is the sum of them. */
const BALANCES: readonly AuditRule[] = [
  {
    rule: "I1",
    what: "transfer without two different accounts or a positive amount",
    sql: `SELECT t.id FROM transfers t LEFT JOIN accounts s ON s.id = t.source LEFT JOIN accounts g ON g.id = t.target
          WHERE s.id IS NULL OR g.id IS NULL OR t.source = t.target OR t.amount <= 0`,
  },
  {
    rule: "I1",
    what: "account whose name does not begin with its kind",
    sql: "SELECT id FROM accounts WHERE substr(id, 1, length(kind) + 1) <> kind || ':'",
  },
  {
    rule: "I1",
    what: "transfer between accounts that its kind does not move money between",
    sql: `SELECT id FROM transfers WHERE NOT CASE kind
            WHEN 'sale' THEN source LIKE 'chain:%' AND target = 'revenue:sales'
            WHEN 'plan' THEN (source LIKE 'chain:%' AND (target LIKE 'credit:%' OR target = 'revenue:plans'))
                          OR (source = 'revenue:channels' AND (target LIKE 'credit:%' OR target = 'revenue:plans'))
                          OR (source LIKE 'credit:%' AND target = 'revenue:plans')
            WHEN 'bonus' THEN source LIKE 'promotion:%' AND target LIKE 'credit:%'
            WHEN 'debit' THEN source LIKE 'credit:%' AND target = 'revenue:calls'
            WHEN 'coupon' THEN source = 'promotion:welcome' AND target = 'revenue:calls'
            WHEN 'refund' THEN source = 'revenue:calls' AND target LIKE 'credit:%'
            WHEN 'expiry' THEN source LIKE 'credit:%' AND target = 'revenue:expired'
            WHEN 'deposit' THEN source LIKE 'escrow:%' AND target LIKE 'channel:%'
            WHEN 'voucher' THEN source LIKE 'channel:%' AND target = 'revenue:channels'
            WHEN 'claim' THEN source LIKE 'claimed:%' AND target LIKE 'escrow:%'
            WHEN 'sweep' THEN source LIKE 'wallet:%' AND target LIKE 'claimed:%'
            WHEN 'return' THEN source LIKE 'channel:%' AND target LIKE 'escrow:%'
            WHEN 'foreign_claim' THEN source LIKE 'channel:%' AND target LIKE 'escrow:%'
            WHEN 'loss' THEN source = 'revenue:channels' AND target LIKE 'escrow:%'
            ELSE kind = 'correction' END`,
  },
  {
    rule: "I2",
    what: "account whose posted balance is not the sum of its postings",
    sql: `SELECT a.id FROM accounts a LEFT JOIN
            (SELECT account_id, sum(amount) AS amount FROM postings GROUP BY account_id) p ON p.account_id = a.id
          WHERE a.posted <> coalesce(p.amount, 0)`,
  },
  {
    rule: "I2",
    what: "account whose pending balance is not the sum of its open holds",
    sql: `SELECT a.id FROM accounts a LEFT JOIN
            (SELECT account, sum(amount) AS amount FROM holds WHERE state = 'pending' GROUP BY account) h
            ON h.account = a.id
          WHERE a.pending <> coalesce(h.amount, 0)`,
  },
  {
    rule: "I2",
    what: "key whose usage is not the sum of its calls",
    sql: `SELECT k.public_id AS id FROM keys k LEFT JOIN key_usage u ON u.key_id = k.id LEFT JOIN
            (SELECT key_id, sum(times) AS calls, sum(CASE WHEN access = 'debit' THEN amount ELSE 0 END) AS spent,
               max(id) AS last
             FROM calls WHERE key_id IS NOT NULL GROUP BY key_id) c ON c.key_id = k.id
          WHERE u.calls IS DISTINCT FROM coalesce(c.calls, 0) OR u.spent IS DISTINCT FROM coalesce(c.spent, 0)
             OR u.last_call IS DISTINCT FROM coalesce(c.last, 0)`,
  },
  {
    rule: "I2",
    what: "count of landings that is not the number of them, as network, facilitator, state",
    sql: `SELECT coalesce(c.network, l.network) || ', ' || coalesce(c.facilitator, l.facilitator) || ', ' ||
            coalesce(c.state, l.state) AS id
          FROM (SELECT * FROM landing_counts WHERE hour = -1 AND state <> 'disbelieved') c
          FULL JOIN (SELECT network, facilitator, state, count(*) AS n FROM landings GROUP BY 1, 2, 3) l
            ON l.network = c.network AND l.facilitator = c.facilitator AND l.state = c.state
          WHERE coalesce(c.count, 0) <> coalesce(l.n, 0)`,
  },
  {
    rule: "I3",
    what: "credit account below zero",
    sql: "SELECT id FROM accounts WHERE kind = 'credit' AND (posted < pending OR pending < 0)",
  },
  {
    rule: "I3",
    what: "key that draws on a balance which is not its own",
    sql: `SELECT k.public_id AS id FROM keys k LEFT JOIN keys p ON p.id = k.parent
          WHERE (k.account IS NOT NULL AND (k.parent IS NOT NULL OR k.account <> 'credit:' || k.public_id))
             OR (k.parent IS NOT NULL AND (p.id IS NULL OR p.parent IS NOT NULL))`,
  },
  {
    rule: "I3",
    what: "call above the cap of its key",
    sql: "SELECT c.id FROM calls c JOIN keys k ON k.id = c.key_id WHERE c.amount > k.call_cap",
  },
];

/** I4, I5: what was set aside ends once, what was paid is charged once. */
const ONCE: readonly AuditRule[] = [
  {
    rule: "I4",
    what: "holds that were posted without as many debits, as key, product, amount",
    sql: `SELECT h.key_id || ', ' || h.product || ', ' || h.amount AS id FROM
            (SELECT key_id, product, coalesce(charged, amount) AS amount, count(*) AS n FROM holds
             WHERE state = 'posted' GROUP BY 1, 2, 3) h
          LEFT JOIN (SELECT key_id, product, amount, count(*) AS n FROM calls WHERE access = 'debit' GROUP BY 1, 2, 3) c
            ON c.key_id = h.key_id AND c.product = h.product AND c.amount = h.amount
          WHERE h.n > coalesce(c.n, 0)`,
  },
  {
    rule: "I4",
    what: "hold that was charged more than was set aside, or charged without being posted",
    sql: "SELECT id FROM holds WHERE charged > amount OR (charged IS NOT NULL AND state <> 'posted')",
  },
  {
    rule: "I4",
    what: "hold on an account that its key does not draw on",
    sql: `SELECT h.id FROM holds h LEFT JOIN keys k ON k.id = h.key_id LEFT JOIN keys p ON p.id = k.parent
          WHERE h.account IS DISTINCT FROM coalesce(p.account, k.account)`,
  },
  {
    rule: "I4",
    what: "coupon that is used without exactly one transfer, or transfer without a used coupon",
    // Grouped, not joined: SQLite finds no index for a FULL JOIN and would compare each with each.
    sql: `SELECT reference AS id FROM (
            SELECT 'coupon:' || id AS reference, CASE WHEN state = 'used' THEN 1 ELSE 0 END AS used, 0 AS n, amount
            FROM coupons
            UNION ALL SELECT reference, 0, 1, -amount FROM transfers WHERE kind = 'coupon') AS both_sides
          GROUP BY reference HAVING sum(used) <> sum(n) OR (sum(n) = 1 AND sum(amount) <> 0)`,
  },
  {
    rule: "I5",
    what: "chain transaction with more than one receipt",
    sql: "SELECT chain_transaction AS id FROM receipts GROUP BY network, chain_transaction HAVING count(*) > 1",
  },
  {
    rule: "I5",
    what: "payment that is charged more than was signed",
    sql: "SELECT id FROM payments WHERE amount > authorized",
  },
  {
    rule: "I5",
    what: "money that came in without a receipt of its own",
    sql: `SELECT t.id FROM transfers t LEFT JOIN receipts r ON r.transfer_id = t.id
          WHERE t.source LIKE 'chain:%' AND t.kind <> 'correction' AND t.reference IS DISTINCT FROM r.payment_id`,
  },
  {
    rule: "I5",
    what: "refund that is not the amount of one debit back to its account, once",
    sql: `SELECT min(r.id) AS id FROM transfers r
            LEFT JOIN transfers d ON d.id = CAST(substr(r.reference, 6) AS BIGINT) AND d.kind = 'debit'
          WHERE r.kind = 'refund' GROUP BY r.reference
          HAVING count(*) > 1 OR max(CASE WHEN d.source = r.target AND d.amount = r.amount THEN 1 ELSE 0 END) = 0`,
  },
  {
    rule: "I5",
    what: "name of a call that stands for no call of its key",
    sql: `SELECT n.call_id AS id FROM call_names n LEFT JOIN calls c ON c.id = n.call_id
          WHERE c.key_id IS DISTINCT FROM n.key_id`,
  },
];

/** I6, I7: every paid answer was paid for in one way, and stored before it was charged. */
const ACCESS: readonly AuditRule[] = [
  {
    rule: "I6",
    what: "settled payment without a receipt, or receipt without a settled payment",
    sql: `SELECT p.id FROM payments p LEFT JOIN receipts r ON r.payment_id = p.id
          WHERE (p.state = 'settled') <> (r.id IS NOT NULL)`,
  },
  {
    rule: "I6",
    what: "receipt whose amount, network, product or transaction is not its payment's",
    sql: `SELECT r.id FROM receipts r LEFT JOIN payments p ON p.id = r.payment_id
          WHERE r.amount IS DISTINCT FROM p.amount OR r.network IS DISTINCT FROM p.network
             OR r.product IS DISTINCT FROM p.product
             OR r.chain_transaction IS DISTINCT FROM p.chain_transaction`,
  },
  {
    rule: "I6",
    what: "receipt whose transfer does not move its amount in from its network",
    sql: `SELECT r.id FROM receipts r LEFT JOIN transfers t ON t.id = r.transfer_id
          WHERE t.amount IS DISTINCT FROM r.amount OR t.source IS DISTINCT FROM 'chain:' || r.network`,
  },
  {
    rule: "I6",
    what: "total that is not the sum of its receipts",
    sql: `SELECT coalesce(t.product, r.product) AS id FROM
            (SELECT product, label, count(*) AS count, sum(amount) AS amount, max(settled_at) AS last FROM receipts
             GROUP BY product, label) r
            FULL JOIN receipt_totals t ON t.product = r.product AND t.label = r.label
          WHERE t.count IS DISTINCT FROM r.count OR t.amount IS DISTINCT FROM r.amount
             OR t.last_settled_at IS DISTINCT FROM r.last`,
  },
  {
    rule: "I6",
    what: "total of an hour that is not the sum of its receipts, as hour, label",
    sql: `SELECT coalesce(h.hour, r.hour) || ', ' || coalesce(h.label, r.label) AS id FROM
            (SELECT settled_at / 3600000000 AS hour, label, count(*) AS count, sum(amount) AS amount FROM receipts
             GROUP BY 1, 2) r
            FULL JOIN receipt_hours h ON h.hour = r.hour AND h.label = r.label
          WHERE h.count IS DISTINCT FROM r.count OR h.amount IS DISTINCT FROM r.amount`,
  },
  {
    rule: "I6",
    what: "call whose debit is not one transfer of its price from its key's balance",
    sql: `SELECT c.id FROM calls c LEFT JOIN keys k ON k.id = c.key_id LEFT JOIN keys p ON p.id = k.parent
            LEFT JOIN transfers t ON t.id = c.id
          WHERE c.access = 'debit' AND (t.kind IS DISTINCT FROM 'debit' OR t.amount IS DISTINCT FROM c.amount
            OR t.reference IS DISTINCT FROM c.product OR t.source IS DISTINCT FROM coalesce(p.account, k.account))`,
  },
  {
    rule: "I6",
    what: "call of a pass that cost something, or whose key never had a pass",
    sql: `SELECT c.id FROM calls c LEFT JOIN keys k ON k.id = c.key_id LEFT JOIN keys p ON p.id = k.parent
            LEFT JOIN transfers t ON t.id = c.id
          WHERE c.access = 'pass'
            AND (c.amount <> 0 OR t.id IS NOT NULL OR coalesce(p.pass_until, k.pass_until) IS NULL)`,
  },
  {
    rule: "I6",
    what: "call of a coupon without its transfer, or with a key",
    sql: `SELECT c.id FROM calls c LEFT JOIN transfers t ON t.id = c.id
          WHERE c.access = 'coupon' AND (c.key_id IS NOT NULL OR t.kind IS DISTINCT FROM 'coupon'
            OR t.amount IS DISTINCT FROM c.amount)`,
  },
  {
    rule: "I6",
    what: "transfer that paid for a call which is not there",
    sql: `SELECT t.id FROM transfers t LEFT JOIN calls c ON c.id = t.id
          WHERE t.kind IN ('debit', 'coupon') AND c.access IS DISTINCT FROM t.kind`,
  },
  {
    rule: "I7",
    what: "payment that was or may be charged without a stored answer",
    sql: "SELECT id FROM payments WHERE state IN ('settling', 'unknown') AND answer IS NULL",
  },
  {
    rule: "I7",
    what: "call that was charged to a balance without an answer",
    sql: "SELECT id FROM calls WHERE access = 'debit' AND answer_id IS NULL",
  },
];

/** I9, I10: ledger times rise, credit is what was paid for. */
const TIMES_AND_GRANTS: readonly AuditRule[] = [
  {
    rule: "I9",
    what: "receipt that is not later than the one before",
    sql: `SELECT id FROM (SELECT id, settled_at, lag(settled_at) OVER (ORDER BY seq) AS before FROM receipts) AS r
          WHERE settled_at <= before`,
  },
  {
    rule: "I9",
    what: "receipt whose transfer is not later than that of the one before",
    sql: `SELECT id FROM (SELECT id, transfer_id, lag(transfer_id) OVER (ORDER BY seq) AS before FROM receipts) AS r
          WHERE transfer_id <= before`,
  },
  {
    rule: "I9",
    what: "call that does not name its key's call before it",
    sql: `SELECT id FROM (SELECT id, previous,
                            lag(id, 1, CAST(0 AS BIGINT)) OVER (PARTITION BY key_id ORDER BY id) AS before
                          FROM calls WHERE key_id IS NOT NULL) AS c
          WHERE previous <> before`,
  },
  {
    rule: "I10",
    what: "grant whose credit or payment is not what was moved for it",
    sql: `SELECT g.id FROM grants g LEFT JOIN
            (SELECT reference,
               sum(CASE WHEN target LIKE 'credit:%' THEN amount WHEN source LIKE 'credit:%' THEN -amount ELSE 0 END)
                 AS credit,
               sum(CASE WHEN source LIKE 'chain:%' OR source = 'revenue:channels' THEN amount ELSE 0 END) AS paid
             FROM transfers WHERE kind IN ('plan', 'bonus') GROUP BY reference) t
            ON t.reference = coalesce(g.payment_id, 'grant:' || g.at)
          WHERE coalesce(t.credit, 0) <> g.credit OR coalesce(t.paid, 0) <> g.paid`,
  },
  {
    rule: "I10",
    what: "credit that was issued without a grant, or to another key's balance",
    sql: `WITH g AS MATERIALIZED (
            SELECT id, key_id, CAST(coalesce(payment_id, 'grant:' || at) AS TEXT) AS reference FROM grants)
          SELECT t.id FROM transfers t LEFT JOIN g ON g.reference = t.reference LEFT JOIN keys k ON k.id = g.key_id
          WHERE t.kind IN ('plan', 'bonus')
            AND (g.id IS NULL OR (t.target LIKE 'credit:%' AND t.target IS DISTINCT FROM k.account)
                              OR (t.source LIKE 'credit:%' AND t.source IS DISTINCT FROM k.account))`,
  },
  {
    rule: "I10",
    what: "grant that is not what its payment bought",
    sql: `SELECT g.id FROM grants g LEFT JOIN payments p ON p.id = g.payment_id
            LEFT JOIN receipts r ON r.payment_id = p.id
          WHERE g.payment_id IS NOT NULL AND (p.state IS DISTINCT FROM 'settled' OR g.paid IS DISTINCT FROM p.amount
            OR json_extract(p.purchase, '$.grant.credit') IS DISTINCT FROM CAST(g.credit AS TEXT)
            OR json_extract(p.purchase, '$.grant.plan') IS DISTINCT FROM g.plan
            OR CAST(json_extract(p.purchase, '$.grant.duration_ms') AS BIGINT) IS DISTINCT FROM g.duration_ms
            OR json_extract(p.purchase, '$.receipt_id') IS DISTINCT FROM r.id)`,
  },
  {
    rule: "I10",
    what: "grant that was paid for by no payment and no voucher, or by a voucher over another sum",
    sql: `SELECT g.id FROM grants g LEFT JOIN channel_steps s ON s.id = g.at
          WHERE g.payment_id IS NULL AND g.paid > 0 AND s.amount IS DISTINCT FROM g.paid`,
  },
  {
    rule: "I10",
    what: "voucher that bought more than one plan",
    sql: `SELECT min(g.id) AS id FROM grants g WHERE g.payment_id IS NULL AND g.paid > 0
          GROUP BY g.at HAVING count(*) > 1`,
  },
  {
    rule: "I10",
    what: "plan sold by a deposit's voucher without its grant",
    sql: `SELECT s.id FROM channel_steps s JOIN channel_moves m ON m.id = s.move_id LEFT JOIN grants g ON g.at = s.id
          WHERE json_extract(m.step, '$.purchase') IS NOT NULL AND g.paid IS DISTINCT FROM s.amount`,
  },
  {
    rule: "I10",
    what: "settled purchase without its grant",
    sql: `SELECT p.id FROM payments p LEFT JOIN grants g ON g.payment_id = p.id
          WHERE p.state = 'settled' AND p.purchase IS NOT NULL AND g.id IS NULL`,
  },
];

/** I11: every balance is the sum of its lots, and what ended of them is income once. */
const LOTS: readonly AuditRule[] = [
  {
    rule: "I11",
    what: "balance that is not the sum of its lots less what was spent and what ended of them",
    sql: `SELECT k.public_id AS id FROM keys k JOIN accounts a ON a.id = k.account
            LEFT JOIN (SELECT key_id, sum(credit - expired) AS rest FROM lots GROUP BY key_id) l ON l.key_id = k.id
            LEFT JOIN (SELECT account_id, sum(amount) AS amount FROM (
                SELECT source AS account_id, amount FROM transfers WHERE kind = 'debit' OR kind = 'correction'
                UNION ALL SELECT target, -amount FROM transfers WHERE kind = 'refund' OR kind = 'correction') AS moved
              GROUP BY account_id) d ON d.account_id = a.id
          WHERE a.posted <> coalesce(l.rest, 0) - coalesce(d.amount, 0)`,
  },
  {
    rule: "I11",
    what: "key whose lots are not what it was granted, less what ended before there were lots",
    sql: `SELECT k.public_id AS id FROM keys k
            LEFT JOIN (SELECT key_id, sum(credit) AS credit FROM lots GROUP BY key_id) l ON l.key_id = k.id
            LEFT JOIN (SELECT key_id, sum(credit) AS credit FROM grants GROUP BY key_id) g ON g.key_id = k.id
            LEFT JOIN (SELECT source, sum(amount) AS amount FROM transfers t WHERE kind = 'expiry'
                         AND NOT EXISTS (SELECT 1 FROM lots o WHERE o.transfer_id = t.id) GROUP BY source) e
              ON e.source = k.account
          WHERE coalesce(l.credit, 0) <> coalesce(g.credit, 0) - coalesce(e.amount, 0)`,
  },
  {
    rule: "I11",
    what: "expiry that is not what was left of its lots, from their own balance",
    sql: `SELECT l.transfer_id AS id FROM (
            SELECT o.transfer_id, k.account, sum(o.expired) AS amount FROM lots o JOIN keys k ON k.id = o.key_id
            WHERE o.transfer_id IS NOT NULL GROUP BY 1, 2) l LEFT JOIN transfers t ON t.id = l.transfer_id
          WHERE t.kind IS DISTINCT FROM 'expiry' OR t.amount IS DISTINCT FROM l.amount
             OR t.source IS DISTINCT FROM l.account`,
  },
  {
    rule: "I11",
    what: "key that does not say when the first of its lots ends",
    sql: `SELECT k.public_id AS id FROM keys k LEFT JOIN
            (SELECT key_id, min(until) AS first FROM lots WHERE ended_at IS NULL GROUP BY key_id) l ON l.key_id = k.id
          WHERE k.lot_until IS DISTINCT FROM l.first`,
  },
];

/**
 * Everything that can be proved from the rows themselves. I8 (acknowledged means durable) cannot: kill and power cut
 * tests prove it.
 */
export const AUDIT_RULES: readonly AuditRule[] = [
  ...[...BALANCES, ...ONCE, ...ACCESS, ...TIMES_AND_GRANTS],
  ...[...LOTS, ...CHANNELS, ...REFUNDS, ...CORRECTIONS],
];
