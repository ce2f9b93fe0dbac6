import type { ReceiptLabel } from "./receipts.ts";

/**
 * What a shop made, each figure by one definition (docs/operator/books.md). Atomic USDC. Of a period:
 * `received` - `given_back` + `from_channels` = `earned` + the growth of `unearned`.
 */
export interface MoneySummary {
  /** Payments that a facilitator called settled. */
  readonly settled: MoneySum;
  /** Of those, what the chain does not have, and what the operator found not to have come. */
  readonly never_landed: MoneySum;
  /** Settled less never landed: what came in. */
  readonly received: MoneySum;
  /** Of what was received, what the operator paid himself. */
  readonly own_tests: MoneySum;
  /** Sent back to buyers by hand, less what was booked back in. */
  readonly given_back: bigint;
  /** Price of everything that was delivered, whoever paid for it; less calls that were refunded to a balance. */
  readonly sold: bigint;
  /** Credit and first calls that the node gave. */
  readonly given: bigint;
  /** The part of `sold` paid for with money, plus paid credit that expired unused, less refunds. */
  readonly earned: bigint;
  /** What vouchers of payment channels paid, for data and for plans, less what was lost of it. */
  readonly from_channels: bigint;
  /** At the end: paid for, and not called yet. Part of what is owed; the rest of that was given. */
  readonly unearned: bigint;
}

export interface MoneySum {
  readonly count: number;
  readonly amount: bigint;
}

/** Every figure with its definition in a few words, in the order it is shown everywhere. */
const MONEY_FIGURES = {
  settled: "what facilitators called settled",
  never_landed: "of that, what the chain does not have, or you corrected",
  received: "what came in: settled less never landed",
  own_tests: "of that, your own payments",
  given_back: "sent back to buyers by hand",
  sold: "price of all that was delivered, whoever paid",
  given: "credit and first calls you gave",
  earned: "of what was sold, what received money paid for",
  from_channels: "what vouchers of payment channels paid",
  unearned: "paid for, and not called yet",
} as const satisfies Readonly<Record<keyof MoneySummary, string>>;

interface MoneyFigure {
  readonly name: keyof MoneySummary;
  readonly meaning: string;
  /** Null for lines without a count. */
  readonly count: number | null;
  readonly amount: bigint;
}

/** The figures as a list, as every view shows them. */
export const listFigures = (money: MoneySummary): readonly MoneyFigure[] =>
  (Object.keys(MONEY_FIGURES) as (keyof MoneySummary)[]).map((name) => {
    const figure = money[name];
    const { count, amount } = typeof figure === "bigint" ? { count: null, amount: figure } : figure;
    return { name, meaning: MONEY_FIGURES[name], count, amount };
  });

/** Of what a voucher bought: its transfers are named by its grant, and no payment. */
const PLAN_BY_VOUCHER = "kind = 'plan' AND reference LIKE 'grant:%'";
/** With the step of that voucher and its channel. */
const FROM_PLAN_BY_VOUCHER = `FROM transfers t JOIN channel_steps s ON s.id = CAST(substr(t.reference, 7) AS BIGINT)
    JOIN channels c ON c.id = s.channel WHERE t.kind = 'plan' AND t.reference LIKE 'grant:%'`;

/**
 * What balances have spent of the money paid for them. Paid credit counts as spent before given credit, whatever came
 * first: so `spent` is the lesser of what was drawn and what was paid, and days add up to the whole.
 */
const PREPAID = `SELECT CAST(coalesce(sum(CASE WHEN drawn_from < paid_from THEN drawn_from ELSE paid_from END), 0)
      AS BIGINT) AS spent_from,
    CAST(coalesce(sum(CASE WHEN drawn < paid THEN drawn ELSE paid END), 0) AS BIGINT) AS spent,
    CAST(coalesce(sum(paid), 0) AS BIGINT) AS paid
  FROM (
    SELECT account, sum(paid) AS paid, sum(drawn) AS drawn, sum(CASE WHEN id < $from THEN paid ELSE 0 END) AS paid_from,
      sum(CASE WHEN id < $from THEN drawn ELSE 0 END) AS drawn_from
    FROM (
      SELECT t.id, t.target AS account, t.amount AS paid, 0 AS drawn FROM transfers t
        JOIN receipts r ON r.transfer_id = t.id LEFT JOIN landings l ON l.receipt_id = r.id
        WHERE t.kind = 'plan' AND t.target LIKE 'credit:%' AND t.id < $until AND coalesce(l.state, '') <> 'missing'
      UNION ALL SELECT t.id, t.source, -t.amount, 0 FROM transfers t
        JOIN receipts r ON r.payment_id = t.reference LEFT JOIN landings l ON l.receipt_id = r.id
        WHERE t.kind = 'plan' AND t.source LIKE 'credit:%' AND t.id < $until AND coalesce(l.state, '') <> 'missing'
      UNION ALL SELECT id, target, amount, 0 FROM transfers
        WHERE ${PLAN_BY_VOUCHER} AND target LIKE 'credit:%' AND id < $until
      UNION ALL SELECT id, source, -amount, 0 FROM transfers
        WHERE ${PLAN_BY_VOUCHER} AND source LIKE 'credit:%' AND id < $until
      UNION ALL SELECT id, source, 0, amount FROM transfers WHERE kind IN ('debit', 'expiry') AND id < $until
      UNION ALL SELECT id, target, 0, -amount FROM transfers WHERE kind = 'refund' AND id < $until
    ) AS moved GROUP BY account
  ) AS balances`;

/**
 * What corrections by hand took off what was received. If the chain does not have a payment, all of it is taken off
 * already. A payment counts as gone once nothing of it is left.
 */
const CORRECTED_COUNT = `CASE WHEN c.received = 0 AND c.amount > 0 THEN 1
    WHEN c.amount < 0 AND c.received + c.amount = 0 THEN -1 ELSE 0 END`;
const CORRECTED_FROM = `FROM corrections c JOIN receipts r ON r.id = c.receipt_id
    LEFT JOIN landings l ON l.receipt_id = r.id WHERE coalesce(l.state, '') <> 'missing'`;
const CORRECTED = `SELECT r.label, CAST(coalesce(sum(${CORRECTED_COUNT}), 0) AS BIGINT) AS count,
    CAST(coalesce(sum(c.amount), 0) AS BIGINT) AS amount ${CORRECTED_FROM}`;
const IS_REFUND = "t.source <> 'revenue:corrections' AND t.target <> 'revenue:corrections'";

const IN_PERIOD = "t.id >= $from AND t.id < $until";
const LANDED = "CASE WHEN l.state = 'missing' THEN 'missing' ELSE 'landed' END";

const SETTLED = `SELECT CASE WHEN t.kind = 'sale' THEN 'sale' ELSE 'plan' END AS kind, ${LANDED} AS landing, r.label,
    count(*) AS count, CAST(sum(t.amount) AS BIGINT) AS amount
  FROM transfers t JOIN receipts r ON r.transfer_id = t.id LEFT JOIN landings l ON l.receipt_id = r.id
  WHERE ${IN_PERIOD} GROUP BY 1, 2, 3`;

const MOVES = `SELECT move, CAST(sum(amount) AS BIGINT) AS amount FROM (
    SELECT CASE WHEN l.state = 'missing' THEN 'kept_missing' ELSE 'kept' END AS move, t.amount FROM transfers t
      JOIN receipts r ON r.payment_id = t.reference LEFT JOIN landings l ON l.receipt_id = r.id
      WHERE t.kind = 'plan' AND t.target = 'revenue:plans' AND ${IN_PERIOD}
    UNION ALL SELECT 'kept', amount FROM transfers t
      WHERE ${PLAN_BY_VOUCHER} AND target = 'revenue:plans' AND ${IN_PERIOD}
    UNION ALL SELECT 'plan_voucher', amount FROM transfers t
      WHERE ${PLAN_BY_VOUCHER} AND source = 'revenue:channels' AND ${IN_PERIOD}
    UNION ALL SELECT t.kind, t.amount FROM transfers t
      WHERE t.kind IN ('debit', 'refund', 'coupon', 'bonus', 'voucher', 'loss') AND ${IN_PERIOD}
    UNION ALL SELECT 'given_back', CASE WHEN t.target LIKE 'chain:%' THEN t.amount ELSE -t.amount END FROM transfers t
      WHERE t.kind = 'correction' AND (t.target LIKE 'chain:%' OR t.source LIKE 'chain:%') AND ${IS_REFUND}
        AND ${IN_PERIOD}
    UNION ALL SELECT 'corrected', CASE WHEN t.target LIKE 'revenue:%' THEN t.amount ELSE -t.amount END FROM transfers t
      WHERE t.kind = 'correction' AND (t.target LIKE 'revenue:%' OR t.source LIKE 'revenue:%') AND ${IS_REFUND}
        AND ${IN_PERIOD}
  ) AS moves GROUP BY move`;

/** What was earned, line by line; what balances spent of paid credit is one line beside these. */
const EARNED = `SELECT access, product, network, count(*) AS count, CAST(sum(amount) AS BIGINT) AS amount FROM (
    SELECT CASE WHEN t.kind = 'sale' THEN 'payment' ELSE 'plan' END AS access, r.product, r.network, t.amount
      FROM transfers t JOIN receipts r ON r.payment_id = t.reference LEFT JOIN landings l ON l.receipt_id = r.id
      WHERE (t.kind = 'sale' OR (t.kind = 'plan' AND t.target = 'revenue:plans')) AND coalesce(l.state, '') <> 'missing'
        AND ${IN_PERIOD}
    UNION ALL SELECT 'channel', t.reference, c.network, t.amount FROM transfers t
      LEFT JOIN channels c ON 'channel:' || c.id = t.source WHERE t.kind = 'voucher' AND ${IN_PERIOD}
    UNION ALL SELECT 'channel', s.product, c.network, -t.amount ${FROM_PLAN_BY_VOUCHER}
      AND t.source = 'revenue:channels' AND ${IN_PERIOD}
    UNION ALL SELECT 'plan', s.product, c.network, t.amount ${FROM_PLAN_BY_VOUCHER}
      AND t.target = 'revenue:plans' AND ${IN_PERIOD}
    UNION ALL SELECT 'channel_loss', NULL, c.network, -t.amount FROM transfers t
      LEFT JOIN channels c ON c.id = t.reference WHERE t.kind = 'loss' AND ${IN_PERIOD}
    UNION ALL SELECT 'correction', NULL, NULL, CASE WHEN t.target LIKE 'revenue:%' THEN t.amount ELSE -t.amount END
      FROM transfers t WHERE t.kind = 'correction' AND (t.target LIKE 'revenue:%' OR t.source LIKE 'revenue:%')
        AND ${IS_REFUND} AND ${IN_PERIOD}
    UNION ALL SELECT 'correction', r.product, r.network, -c.amount ${CORRECTED_FROM}
      AND c.id >= $from AND c.id < $until
  ) AS earned GROUP BY 1, 2, 3 HAVING access <> 'channel' OR sum(amount) <> 0
  ORDER BY access, coalesce(product, ''), coalesce(network, '')`;

/** What a summary of a period asks, in what SQLite and PostgreSQL both understand. */
export const MONEY_QUESTIONS = {
  money_settled: SETTLED,
  money_moves: MOVES,
  money_prepaid: PREPAID,
  money_earned: EARNED,
  money_corrected: `${CORRECTED} AND c.id >= $from AND c.id < $until GROUP BY r.label`,
} as const;

type Move =
  | ("kept" | "kept_missing" | "debit" | "refund" | "coupon" | "bonus" | "voucher" | "loss" | "plan_voucher")
  | ("given_back" | "corrected");

interface SettledRow {
  readonly kind: "sale" | "plan";
  readonly landing: "landed" | "missing";
  readonly label: string;
  readonly count: bigint;
  readonly amount: bigint;
}

/** The rows that answer them, as either engine gives them. */
export interface MoneyRows {
  readonly money_settled: readonly SettledRow[];
  readonly money_moves: readonly { readonly move: Move; readonly amount: bigint }[];
  readonly money_earned: readonly (Omit<EarnedLine, "count"> & { readonly count: bigint })[];
  readonly money_corrected: readonly LabelSum[];
  readonly money_prepaid: readonly { readonly spent_from: bigint; readonly spent: bigint; readonly paid: bigint }[];
}

/** What was earned in a period in one way; `prepaid` is paid credit that was called, or ended unused. */
export interface EarnedLine extends MoneySum {
  readonly access: "payment" | "plan" | "channel" | "channel_loss" | "correction" | "prepaid";
  /** Null for income without a product. */
  readonly product: string | null;
  readonly network: string | null;
}

/** The lines add up to `earned` of the summary. */
export function composeEarned({ money_earned, money_prepaid }: MoneyRows): readonly EarnedLine[] {
  const { spent_from = 0n, spent = 0n } = money_prepaid[0] ?? {};
  const prepaid = { access: "prepaid" as const, product: null, network: null, count: 1, amount: spent - spent_from };
  return [
    ...money_earned.map((row) => ({ ...row, count: Number(row.count) })),
    ...(prepaid.amount === 0n ? [] : [prepaid]),
  ];
}

/** Adds up a period from the rows that answer its questions. */
export function composeMoney({ money_settled, money_moves, money_prepaid, money_corrected }: MoneyRows): MoneySummary {
  const moved = (move: Move): bigint => money_moves.find((row) => row.move === move)?.amount ?? 0n;
  const { spent_from = 0n, spent = 0n, paid = 0n } = money_prepaid[0] ?? {};
  const sumOf = (is: (row: SettledRow) => boolean): MoneySum => sumRows(money_settled.filter(is));
  const landed = ({ landing }: SettledRow): boolean => landing === "landed";
  const sales = sumOf(({ kind }) => kind === "sale");
  const landed_sales = sumOf((row) => row.kind === "sale" && landed(row));
  const from_channels = moved("voucher") - moved("loss");
  const corrected = addLabels(money_corrected);
  return {
    settled: sumOf(() => true),
    never_landed: addSum(
      sumOf((row) => !landed(row)),
      corrected,
    ),
    received: takeOff(sumOf(landed), corrected),
    own_tests: takeOff(
      sumOf((row) => landed(row) && isOwn(row)),
      addLabels(money_corrected.filter(isOwn)),
    ),
    given_back: moved("given_back"),
    sold:
      sales.amount +
      moved("kept") +
      moved("kept_missing") +
      moved("debit") -
      moved("refund") +
      moved("coupon") +
      moved("voucher") -
      moved("plan_voucher"),
    given: moved("bonus") + moved("coupon"),
    earned:
      landed_sales.amount +
      moved("kept") +
      spent -
      spent_from +
      from_channels -
      moved("plan_voucher") +
      moved("corrected") -
      corrected.amount,
    from_channels,
    unearned: paid - spent,
  };
}

const sumRows = (rows: readonly SettledRow[]): MoneySum => ({
  count: rows.reduce((sum, { count }) => sum + Number(count), 0),
  amount: rows.reduce((sum, { amount }) => sum + amount, 0n),
});

/**
 * The same from the beginning until now, off balances and totals that are kept: it costs the same however long the
 * ledger is, so a page and /metrics may ask for it.
 */
export const MONEY_TO_DATE = {
  totals: `SELECT label, CAST(sum(count) AS BIGINT) AS count, CAST(sum(amount) AS BIGINT) AS amount FROM receipt_totals
    GROUP BY label`,
  missing: `SELECT r.label, count(*) AS count, CAST(sum(r.amount) AS BIGINT) AS amount,
      CAST(sum(CASE WHEN g.id IS NULL THEN r.amount WHEN g.paid > g.credit THEN g.paid - g.credit ELSE 0 END) AS BIGINT)
        AS revenue
    FROM landings l JOIN receipts r ON r.id = l.receipt_id LEFT JOIN grants g ON g.payment_id = r.payment_id
    WHERE l.state = 'missing' GROUP BY r.label`,
  balances: `SELECT CASE WHEN kind = 'revenue' THEN id ELSE kind END AS name, CAST(sum(posted) AS BIGINT) AS amount
    FROM accounts WHERE kind IN ('revenue', 'chain', 'promotion') GROUP BY 1`,
  corrected: `${CORRECTED} GROUP BY r.label`,
  /** What vouchers paid for plans: no income of channels. */
  plans_by_voucher: `SELECT CAST(coalesce(sum(paid), 0) AS BIGINT) AS amount FROM grants WHERE payment_id IS NULL`,
  lost: "SELECT CAST(coalesce(sum(lost), 0) AS BIGINT) AS amount FROM channels",
  prepaid: `SELECT CAST(coalesce(sum(CASE WHEN drawn < paid THEN drawn ELSE paid END), 0) AS BIGINT) AS spent,
      CAST(coalesce(sum(paid), 0) AS BIGINT) AS paid
    FROM (
      SELECT g.key_id, sum(g.credit) - max(a.posted) AS drawn,
        sum(CASE WHEN l.state = 'missing' THEN 0
                 WHEN g.paid < g.credit THEN g.paid ELSE g.credit END) AS paid
      FROM grants g JOIN keys k ON k.id = g.key_id JOIN accounts a ON a.id = k.account
        LEFT JOIN receipts r ON r.payment_id = g.payment_id LEFT JOIN landings l ON l.receipt_id = r.id
      GROUP BY g.key_id
    ) AS balances`,
} as const;

/** `$1` is an hour. */
export const UNLANDED = `SELECT hour, label, CAST(sum(count) AS BIGINT) AS count, CAST(sum(amount) AS BIGINT) AS amount
  FROM (
    SELECT l.hour, r.label, 1 AS count, r.amount FROM landings l JOIN receipts r ON r.id = l.receipt_id
      WHERE l.state = 'missing' AND l.hour >= $1::bigint
    UNION ALL SELECT c.id / 3600000000, r.label, ${CORRECTED_COUNT}, c.amount ${CORRECTED_FROM}
      AND c.id >= $1::bigint * 3600000000
  ) AS gone GROUP BY hour, label ORDER BY hour DESC, label`;

/** Payments of one hour that never landed, and what was corrected in it. */
export interface UnlandedHour extends MoneySum {
  /** Start of the hour. */
  readonly from_ms: number;
  readonly label: ReceiptLabel;
}

export interface UnlandedRow {
  readonly hour: bigint;
  readonly label: ReceiptLabel;
  readonly count: bigint;
  readonly amount: bigint;
}
const HOUR_MS = 3_600_000;
export const toUnlanded = ({ hour, label, count, amount }: UnlandedRow): UnlandedHour => ({
  from_ms: Number(hour) * HOUR_MS,
  label,
  count: Number(count),
  amount,
});

export interface LabelSum {
  readonly label: string;
  readonly count: bigint;
  readonly amount: bigint;
}

export interface MoneyToDateRows {
  readonly totals: readonly LabelSum[];
  /** `revenue`: what of it was booked as revenue at once, and no balance. */
  readonly missing: readonly (LabelSum & { readonly revenue: bigint })[];
  readonly balances: readonly { readonly name: string; readonly amount: bigint }[];
  readonly corrected: readonly LabelSum[];
  readonly plans_by_voucher: readonly { readonly amount: bigint }[];
  readonly lost: readonly { readonly amount: bigint }[];
  readonly prepaid: readonly { readonly spent: bigint; readonly paid: bigint }[];
}

/** What sums of payments may be grouped by. */
export const SUMS_BY = {
  product: "r.product",
  network: "r.network",
  payer: "r.payer",
  access: "CASE WHEN p.purchase IS NULL THEN 'payment' ELSE 'plan' END",
  label: "r.label",
  /** Sales from before doors were recorded have no door. */
  door: "coalesce(p.door, 'unknown')",
  /** UTC, by the row's own time (see `renderSums`); of a refund or correction, the day it was written down. */
  day: "day",
} as const;
export type SumsBy = keyof typeof SUMS_BY;

export interface SumsAsked {
  readonly from_ms: number;
  /** Not part of the period. */
  readonly until_ms: number;
  readonly by: SumsBy;
}

/** Payments of a period that have something in common. */
export interface PaymentSums {
  readonly name: string;
  readonly settled: MoneySum;
  readonly never_landed: MoneySum;
  readonly received: MoneySum;
  /** Sent back by hand in the period, whenever it was paid. */
  readonly given_back: MoneySum;
  /**
   * Calls by prepaid keys, at their price, less what was given back to balances: paid for by payments of other times,
   * so in no other figure here. Null where calls have no such name.
   */
  readonly called: MoneySum | null;
}

/** Names of calls, where they have one of that kind. */
const CALLED_BY: Partial<Readonly<Record<SumsBy, string>>> = {
  product: "c.product",
  door: "coalesce(c.door, 'unknown')",
  day: "day",
};

const addSum = (a: MoneySum, b: MoneySum): MoneySum => ({ count: a.count + b.count, amount: a.amount + b.amount });
const takeOff = (a: MoneySum, b: MoneySum): MoneySum => ({ count: a.count - b.count, amount: a.amount - b.amount });
const addLabels = (rows: readonly LabelSum[]): MoneySum => ({
  count: rows.reduce((sum, { count }) => sum + Number(count), 0),
  amount: rows.reduce((sum, { amount }) => sum + amount, 0n),
});
const isOwn = ({ label }: { readonly label: string }): boolean => label === "operator-test";
const NO_SUM: MoneySum = { count: 0, amount: 0n };

/** What all of them make together. */
export const addSums = (sums: readonly PaymentSums[]): PaymentSums => ({
  name: "total",
  settled: sums.reduce((sum, { settled }) => addSum(sum, settled), NO_SUM),
  never_landed: sums.reduce((sum, { never_landed }) => addSum(sum, never_landed), NO_SUM),
  received: sums.reduce((sum, { received }) => addSum(sum, received), NO_SUM),
  given_back: sums.reduce((sum, { given_back }) => addSum(sum, given_back), NO_SUM),
  called: sums.reduce<MoneySum | null>(
    (sum, { called }) => (called === null ? sum : addSum(sum ?? NO_SUM, called)),
    null,
  ),
});

/** `$1` and `$2`: microseconds, by the time of the payment's transfer, and of the refund or correction. */
export function renderSums(by: SumsBy): string {
  const dayOf = (at: string): string => `CAST(${at} / 86400000000 AS TEXT)`;
  const name = (at: string): string => (by === "day" ? dayOf(at) : SUMS_BY[by]);
  return `SELECT name, ${SUMMED.map((column) => `CAST(sum(${column}) AS BIGINT) AS ${column}`).join(", ")} FROM (
      SELECT ${name("r.transfer_id")} AS name, 1 AS count, r.amount,
        CASE WHEN l.state = 'missing' THEN 1 ELSE 0 END AS missing_count,
        CASE WHEN l.state = 'missing' THEN r.amount ELSE 0 END AS missing_amount, 0 AS back_count, 0 AS back_amount,
        0 AS called_count, 0 AS called_amount
      FROM receipts r JOIN payments p ON p.id = r.payment_id LEFT JOIN landings l ON l.receipt_id = r.id
      WHERE r.transfer_id >= $1::bigint AND r.transfer_id < $2::bigint
      UNION ALL SELECT ${name("g.id")}, 0, 0, 0, 0, 1, g.amount, 0, 0
      FROM given_back g JOIN receipts r ON r.id = g.receipt_id JOIN payments p ON p.id = r.payment_id
      WHERE g.id >= $1::bigint AND g.id < $2::bigint
      UNION ALL SELECT ${name("c.id")}, 0, 0, ${CORRECTED_COUNT}, c.amount, 0, 0, 0, 0
      FROM corrections c JOIN receipts r ON r.id = c.receipt_id JOIN payments p ON p.id = r.payment_id
        LEFT JOIN landings l ON l.receipt_id = r.id
      WHERE coalesce(l.state, '') <> 'missing' AND c.id >= $1::bigint AND c.id < $2::bigint
      ${renderCalled(by, dayOf)}
    ) AS moved GROUP BY name`;
}

const SUMMED = [
  ...(["count", "amount", "missing_count", "missing_amount", "back_count", "back_amount"] as const),
  ...(["called_count", "called_amount"] as const),
];

/** Calls of the period, and what was given back in it of calls whenever they were made. */
function renderCalled(by: SumsBy, dayOf: (at: string) => string): string {
  const named = CALLED_BY[by];
  if (named === undefined) return "";
  const name = (at: string): string => (by === "day" ? dayOf(at) : named);
  return `UNION ALL SELECT ${name("c.id")}, 0, 0, 0, 0, 0, 0, 1, c.amount
      FROM calls c WHERE c.access = 'debit' AND c.id >= $1::bigint AND c.id < $2::bigint
      UNION ALL SELECT ${name("t.id")}, 0, 0, 0, 0, 0, 0, 0, -t.amount
      FROM transfers t JOIN calls c ON c.id = CAST(substr(t.reference, 6) AS BIGINT)
      WHERE t.kind = 'refund' AND t.id >= $1::bigint AND t.id < $2::bigint`;
}

export interface SumsRow {
  readonly name: string;
  readonly count: bigint;
  readonly amount: bigint;
  readonly missing_count: bigint;
  readonly missing_amount: bigint;
  readonly back_count: bigint;
  readonly back_amount: bigint;
  readonly called_count: bigint;
  readonly called_amount: bigint;
}

const DAY_MS = 86_400_000;

/** Most money first; days in their order. */
export function composeSums(by: SumsBy, rows: readonly SumsRow[]): readonly PaymentSums[] {
  const has_calls = CALLED_BY[by] !== undefined;
  const sums = rows.map(({ name, ...row }) => {
    const settled = { count: Number(row.count), amount: row.amount };
    const never_landed = { count: Number(row.missing_count), amount: row.missing_amount };
    const received = { count: settled.count - never_landed.count, amount: row.amount - row.missing_amount };
    const given_back = { count: Number(row.back_count), amount: row.back_amount };
    const called = has_calls ? { count: Number(row.called_count), amount: row.called_amount } : null;
    return { name, settled, never_landed, received, given_back, called };
  });
  const moneyOf = ({ received, called }: PaymentSums): number => Number(received.amount + (called?.amount ?? 0n));
  if (by !== "day") {
    return sums.sort((a, b) => moneyOf(b) - moneyOf(a) || (a.name < b.name ? -1 : 1));
  }
  return sums
    .sort((a, b) => Number(a.name) - Number(b.name))
    .map((sum) => ({ ...sum, name: new Date(Number(sum.name) * DAY_MS).toISOString().slice(0, 10) }));
}

export interface MoneyQueries {
  /** What payments of a period brought, grouped. */
  sums(asked: SumsAsked): Promise<readonly PaymentSums[]>;
  /** Everything from the beginning until now. */
  toDate(): Promise<MoneySummary>;
  /** What never landed of payments settled since the start of the hour of a time (ms), by that hour, newest first. */
  listUnlanded(since_ms: number): Promise<readonly UnlandedHour[]>;
}

export function composeMoneyToDate(rows: MoneyToDateRows): MoneySummary {
  const { totals, missing, balances, corrected, lost, prepaid, plans_by_voucher } = rows;
  const posted = (name: string): bigint => balances.find((row) => row.name === name)?.amount ?? 0n;
  const { spent = 0n, paid = 0n } = prepaid[0] ?? {};
  const settled = addLabels(totals);
  const off = addLabels(corrected);
  const never_landed = addSum(addLabels(missing), off);
  // A network's payments are the negative balance of its account: the difference to the receipts
  // was refunded, or corrected.
  const given_back = settled.amount + posted("chain") + posted("revenue:corrections");
  const data_of_channels = posted("revenue:channels");
  const refunds = posted("revenue:refunds");
  const at_once = posted("revenue:sales") + posted("revenue:plans");
  const unlanded_revenue = missing.reduce((sum, { revenue }) => sum + revenue, 0n);
  return {
    settled,
    never_landed,
    received: takeOff(settled, never_landed),
    own_tests: takeOff(addLabels(totals.filter(isOwn)), addLabels([...missing, ...corrected].filter(isOwn))),
    given_back,
    // What was corrected elsewhere than by a refund was taken off what was sold.
    sold: at_once + given_back + refunds + posted("revenue:calls") + data_of_channels + (lost[0]?.amount ?? 0n),
    given: -posted("promotion"),
    earned: at_once - unlanded_revenue + spent + data_of_channels + refunds - off.amount,
    from_channels: data_of_channels + (plans_by_voucher[0]?.amount ?? 0n),
    unearned: paid - spent,
  };
}
