import {
  composeEarned,
  composeMoney,
  type EarnedLine,
  MONEY_QUESTIONS,
  type MoneyRows,
  type MoneySummary,
} from "./money.ts";
import { CHANNEL_REPORT, type ChannelReportRow } from "./report-channels.ts";

/** How revenue was earned. `plan`: passes, and what a plan keeps for itself; `expiry`: credit that expired unused. */
export type RevenueAccess =
  | "payment"
  | "plan"
  | "debit"
  | "channel"
  | "channel_loss"
  | "coupon"
  | "refund"
  | "expiry"
  | "correction";

/** `given`: not paid for by the user; the node bore it (coupons, credit the operator gave away). */
export type RevenueLabel = "organic" | "operator-test" | "given";

export interface Sum {
  readonly count: number;
  /** Atomic USDC. */
  readonly amount: bigint;
}

/** What was earned in the period, or what came in: the two differ by prepaid credit. */
export interface MoneyRow extends Sum {
  readonly product: string | null;
  readonly access: RevenueAccess;
  /** Null where no network was involved. */
  readonly network: string | null;
  readonly label: RevenueLabel | null;
}

export interface NetworkRow {
  readonly network: string;
  /** All receipts up to the end of the period. */
  readonly receipts: Sum;
  /** The amount that came in through the network up to then, according to the books. */
  readonly booked: bigint;
  /** `booked` minus receipts: 0, or a correction. */
  readonly difference: bigint;
  /** The result of a look at those receipts on the chain; `unchecked`: not looked at yet. */
  readonly landings: Readonly<Record<"confirmed" | "pending" | "missing" | "unchecked", Sum>>;
}

export interface LedgerReport {
  /** Ledger time, ms; the end is not part of the period. */
  readonly from_ms: number;
  readonly until_ms: number;
  /** The period in a few figures. */
  readonly money: MoneySummary;
  /** Line by line what was earned. */
  readonly earned: readonly EarnedLine[];
  readonly revenue: readonly MoneyRow[];
  /** Money that came in through networks. */
  readonly received: readonly MoneyRow[];
  /** What was given away, revoked or expired unused, and booked back: not part of any revenue. */
  readonly unused_gifts: Sum;
  /** What the node gave away, by account. */
  readonly promotion: readonly (Sum & { readonly account: string })[];
  /** Unspent credit at the end: what the node owes its buyers. `count` is the number of keys. */
  readonly liability: Sum;
  /** Payment channels: their money in the period, and what of it is the payers' at the end. */
  readonly channels: readonly ChannelReportRow[];
  /** Payments begun before the end whose outcome is unknown now. */
  readonly unknown: readonly (Sum & { readonly network: string })[];
  readonly networks: readonly NetworkRow[];
}

/**
 * Label of a balance: whose money was on it by the end of the period. One organic purchase makes it organic; one
 * without any purchase was given.
 */
const LABELS = `labels AS MATERIALIZED (
  SELECT k.account, CASE WHEN count(coalesce(r.label, c.label)) = 0 THEN 'given'
                         WHEN sum(CASE WHEN coalesce(r.label, c.label) = 'organic' THEN 1 ELSE 0 END) > 0 THEN 'organic'
                         ELSE 'operator-test' END AS label
  FROM keys k LEFT JOIN grants g ON g.key_id = k.id AND g.at < $until
    LEFT JOIN receipts r ON r.payment_id = g.payment_id
    LEFT JOIN channel_steps s ON g.payment_id IS NULL AND s.id = g.at LEFT JOIN channels c ON c.id = s.channel
  WHERE k.account IS NOT NULL GROUP BY k.account)`;

/** Every transfer in or out of a revenue account is in exactly one branch. */
const REVENUE = `WITH ${LABELS}, moved AS MATERIALIZED (
  SELECT id, kind, reference, source, target, amount FROM transfers
  WHERE id >= $from AND id < $until AND (source LIKE 'revenue:%' OR target LIKE 'revenue:%'))
SELECT product, access, network, label, CAST(sum(n) AS BIGINT) AS count,
  CAST(sum(total) AS BIGINT) AS amount FROM (
  SELECT r.product, CASE WHEN t.kind = 'sale' THEN 'payment' ELSE 'plan' END AS access, r.network, r.label,
    count(*) AS n,
    sum(t.amount) AS total
  FROM moved t JOIN receipts r ON r.payment_id = t.reference WHERE t.kind IN ('sale', 'plan') GROUP BY 1, 2, 3, 4
  UNION ALL
  SELECT t.product, 'debit', NULL, l.label, sum(t.n), sum(t.total)
  FROM (SELECT reference AS product, source, count(*) AS n, sum(amount) AS total FROM moved WHERE kind = 'debit'
        GROUP BY 1, 2) AS t LEFT JOIN labels l ON l.account = t.source GROUP BY 1, 4
  UNION ALL
  SELECT t.reference, 'channel', c.network, c.label, count(*), sum(t.amount)
  FROM moved t LEFT JOIN channels c ON 'channel:' || c.id = t.source WHERE t.kind = 'voucher' GROUP BY 1, 3, 4
  UNION ALL
  SELECT s.product, 'channel', c.network, c.label, -count(*), -sum(t.amount)
  FROM moved t JOIN channel_steps s ON s.id = CAST(substr(t.reference, 7) AS BIGINT) JOIN channels c ON c.id = s.channel
  WHERE t.kind = 'plan' AND t.source = 'revenue:channels' GROUP BY 1, 3, 4
  UNION ALL
  SELECT s.product, 'plan', c.network, c.label, count(*), sum(t.amount)
  FROM moved t JOIN channel_steps s ON s.id = CAST(substr(t.reference, 7) AS BIGINT) JOIN channels c ON c.id = s.channel
  WHERE t.kind = 'plan' AND t.target = 'revenue:plans' AND t.reference LIKE 'grant:%' GROUP BY 1, 3, 4
  UNION ALL
  SELECT NULL, 'channel_loss', c.network, c.label, count(*), -sum(t.amount)
  FROM moved t LEFT JOIN channels c ON c.id = t.reference WHERE t.kind = 'loss' GROUP BY 3, 4
  UNION ALL
  SELECT c.product, 'refund', NULL, l.label, count(*), -sum(t.amount)
  FROM moved t LEFT JOIN calls c ON c.id = CAST(substr(t.reference, 6) AS BIGINT)
    LEFT JOIN labels l ON l.account = t.target WHERE t.kind = 'refund' GROUP BY 1, 4
  UNION ALL
  SELECT c.product, 'coupon', NULL, 'given', count(*), sum(t.amount)
  FROM moved t LEFT JOIN calls c ON c.id = t.id WHERE t.kind = 'coupon' GROUP BY 1
  UNION ALL
  SELECT NULL, 'expiry', NULL, l.label, count(*), sum(t.amount)
  FROM moved t LEFT JOIN labels l ON l.account = t.source WHERE t.kind = 'expiry' GROUP BY 4
  UNION ALL
  SELECT NULL, 'correction', NULL, NULL, count(*),
    sum(CASE WHEN target LIKE 'revenue:%' THEN amount ELSE 0 END
        - CASE WHEN source LIKE 'revenue:%' THEN amount ELSE 0 END)
  FROM moved WHERE kind = 'correction' HAVING count(*) > 0
) AS earned GROUP BY 1, 2, 3, 4 HAVING access <> 'channel' OR sum(total) <> 0 ORDER BY access, product, network, label`;

// By the transfer's time everywhere: a receipt and its transfer may be on two sides of midnight.
const RECEIVED = `SELECT r.product, CASE WHEN t.kind = 'sale' THEN 'payment' ELSE 'plan' END AS access,
    r.network, r.label,
    count(*) AS count, CAST(sum(t.amount) AS BIGINT) AS amount
  FROM transfers t JOIN receipts r ON r.transfer_id = t.id WHERE t.id >= $from AND t.id < $until
  GROUP BY 1, 2, 3, 4 ORDER BY access, product, network, label`;

const PROMOTION = `SELECT account_id AS account, count(*) AS count, CAST(-sum(amount) AS BIGINT) AS amount FROM postings
  WHERE transfer_id >= $from AND transfer_id < $until AND account_id LIKE 'promotion:%' GROUP BY 1 ORDER BY 1`;

const LIABILITY = `SELECT count(*) AS count, CAST(coalesce(sum(balance), 0) AS BIGINT) AS amount
  FROM (
    SELECT sum(amount) AS balance FROM postings WHERE transfer_id < $until AND account_id LIKE 'credit:%'
    GROUP BY account_id) AS balances WHERE balance <> 0`;

const UNKNOWN = `SELECT network, count(*) AS count, CAST(sum(amount) AS BIGINT) AS amount
  FROM payments
  WHERE state = 'unknown' AND created_at < $until GROUP BY 1 ORDER BY 1`;

const BOOKED = `SELECT substr(account_id, 7) AS network, CAST(-sum(amount) AS BIGINT) AS booked FROM postings
  WHERE transfer_id < $until AND account_id LIKE 'chain:%' GROUP BY 1 ORDER BY 1`;

const LANDINGS = `SELECT r.network, coalesce(l.state, 'unchecked') AS state, count(*) AS count,
    CAST(sum(r.amount) AS BIGINT) AS amount FROM receipts r
  LEFT JOIN landings l ON l.receipt_id = r.id WHERE r.transfer_id < $until GROUP BY 1, 2`;

interface SumRow {
  count: bigint;
  amount: bigint;
}

const NOTHING: Sum = { count: 0, amount: 0n };

/** Every question of a report, in what SQLite and PostgreSQL both understand. `$from` and `$until`: microseconds. */
export const REPORT_QUESTIONS = {
  revenue: REVENUE,
  received: RECEIVED,
  promotion: PROMOTION,
  liability: LIABILITY,
  unknown: UNKNOWN,
  booked: BOOKED,
  landings: LANDINGS,
  channels: CHANNEL_REPORT,
  ...MONEY_QUESTIONS,
} as const;

/** The rows that answer them, as either engine gives them. */
export interface ReportRows extends MoneyRows {
  readonly revenue: readonly (SumRow & Omit<MoneyRow, "count">)[];
  readonly received: readonly (SumRow & Omit<MoneyRow, "count">)[];
  readonly promotion: readonly (SumRow & { readonly account: string })[];
  readonly liability: readonly SumRow[];
  readonly unknown: readonly (SumRow & { readonly network: string })[];
  readonly booked: readonly { readonly network: string; readonly booked: bigint }[];
  readonly landings: readonly (SumRow & { readonly network: string; readonly state: LandingState })[];
  readonly channels: readonly (SumRow & Omit<ChannelReportRow, "count">)[];
}

export interface Period {
  readonly from_ms: number;
  readonly until_ms: number;
}

export function composeReport({ from_ms, until_ms }: Period, rows: ReportRows): LedgerReport {
  const counted = <T extends SumRow>(list: readonly T[]) => list.map((row) => ({ ...row, count: Number(row.count) }));
  return {
    from_ms,
    until_ms,
    money: composeMoney(rows),
    earned: composeEarned(rows),
    ...splitGifts(counted(rows.revenue)),
    received: counted(rows.received),
    promotion: counted(rows.promotion),
    liability: counted(rows.liability)[0] ?? NOTHING,
    channels: counted(rows.channels),
    unknown: counted(rows.unknown),
    networks: readNetworks(rows),
  };
}

/** Unused credit that the operator gave away comes back to him: it was never paid for, so it was never earned. */
function splitGifts(rows: readonly MoneyRow[]): Pick<LedgerReport, "revenue" | "unused_gifts"> {
  const isUnused = ({ access, label }: MoneyRow): boolean => access === "expiry" && label === "given";
  const unused = rows.filter(isUnused);
  return {
    revenue: rows.filter((row) => !isUnused(row)),
    unused_gifts: {
      count: unused.reduce((sum, { count }) => sum + count, 0),
      amount: unused.reduce((sum, { amount }) => sum + amount, 0n),
    },
  };
}

type LandingState = keyof NetworkRow["landings"];

function readNetworks({ booked, landings: landed }: ReportRows): readonly NetworkRow[] {
  const names = new Set([...booked, ...landed].map(({ network }) => network));
  return [...names].sort().map((network) => {
    const own = landed.filter((row) => row.network === network);
    const sumOf = (state: LandingState): Sum => {
      const row = own.find((one) => one.state === state);
      return row ? { count: Number(row.count), amount: row.amount } : NOTHING;
    };
    const receipts = {
      count: own.reduce((sum, row) => sum + Number(row.count), 0),
      amount: own.reduce((sum, row) => sum + row.amount, 0n),
    };
    const total = booked.find((row) => row.network === network)?.booked ?? 0n;
    const landings = {
      confirmed: sumOf("confirmed"),
      pending: sumOf("pending"),
      missing: sumOf("missing"),
      unchecked: sumOf("unchecked"),
    };
    return { network, receipts, booked: total, difference: total - receipts.amount, landings };
  });
}
