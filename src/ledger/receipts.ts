import type { Database } from "bun:sqlite";
import type { Promised } from "./promised.ts";

/** `operator-test` when the payer is the operator himself (a configured address, or the receiving wallet). */
export type ReceiptLabel = "organic" | "operator-test";

/** The public record of one settlement. Holds no parameter of the call. */
export interface ReceiptRow {
  readonly seq: number;
  readonly id: string;
  readonly network: string;
  readonly chain_transaction: string;
  readonly product: string;
  readonly asset: string;
  readonly amount: bigint;
  readonly payer: string;
  readonly pay_to: string;
  readonly label: ReceiptLabel;
  readonly settled_at_ms: number;
  /** SHA-256 of the request and of the answer's stored bytes; null for what was sold before they were kept. */
  readonly request_sha256: string | null;
  readonly response_sha256: string | null;
  /** Which of several nodes sold it; null when there was one. */
  readonly node: string | null;
  /** Whether the chain has it; null when it was never asked. */
  readonly on_chain: OnChain | null;
}

/** What the receipt that x402 defines says of a sale. */
export type OfficialFacts = Pick<
  ReceiptRow,
  "id" | "network" | "product" | "payer" | "chain_transaction" | "settled_at_ms"
>;

export type OnChain = "pending" | "confirmed" | "missing";

export interface ReceiptFilter {
  readonly limit: number;
  /** Receipts older than this sequence number. */
  readonly before_seq?: number | undefined;
  readonly label?: string | undefined;
  readonly network?: string | undefined;
  readonly product?: string | undefined;
  /** Receipts that are looked at: PAGE_LOOKS_MAX unless given. */
  readonly looks_max?: number;
}

/** A part of the list. More may follow though it is short: what others asked for was looked past. */
export interface ReceiptPage {
  readonly rows: readonly ReceiptRow[];
  /** `before_seq` of the next part; null where nothing follows. */
  readonly next_before: number | null;
}

/** So many receipts are looked at for one page, so that a filter that meets few of them reads no whole table. */
export const PAGE_LOOKS_MAX = 10_000;

/** What was sold. */
export interface ReceiptQueries {
  get(id: string): ReceiptRow | null;
  /**
   * Whether money for a payment moved, or may have. Reads what is written, which is enough: a payment is on disk as
   * settling before a facilitator is asked to settle it.
   */
  mayBeCharged(replay_key: string): boolean;
  /** By what a signed receipt names: the newest receipt of a transaction. */
  findByTransaction(network: string, chain_transaction: string): ReceiptRow | null;
  /** By the SHA-256 of an answer's bytes: its earliest sale from a time (ms) on. */
  findByAnswer(response_sha256: string, from_ms: number): ReceiptRow | null;
  /** Newest first. */
  list(filter: Pick<ReceiptFilter, "limit" | "before_seq">): readonly ReceiptRow[];
  /** Newest first, of those that meet the filter. */
  page(filter: ReceiptFilter): ReceiptPage;
  /** Counts and sums, of receipts settled since the start of the hour of a time (ms) or of all. */
  totals(since_ms?: number): Readonly<Record<ReceiptLabel, { count: number; amount: bigint }>>;
  /** What one address paid, as receipts say; of one with more than 5,000 receipts only so many are counted. */
  totalsOf(payer: string): PayerTotals;
  /** Settlement time of the newest receipt per product, ms. */
  lastByProduct(): ReadonlyMap<string, number>;
}

export interface PayerTotals {
  readonly count: number;
  readonly amount: bigint;
  readonly products: number;
  readonly first_ms: number | null;
  readonly last_ms: number | null;
  readonly is_capped: boolean;
}

export const PAYER_RECEIPTS_MAX = 5_000;

export type Receipts = Promised<ReceiptQueries>;

const HOUR_MS = 3_600_000;

interface Row {
  seq: bigint;
  id: string;
  network: string;
  chain_transaction: string;
  product: string;
  asset: string;
  amount: bigint;
  payer: string;
  pay_to: string;
  label: ReceiptLabel;
  settled_at: bigint;
  request_sha256: string | null;
  response_sha256: string | null;
  node: string | null;
  on_chain: OnChain | null;
}

interface PayerRow {
  count: bigint;
  amount: bigint;
  products: bigint;
  first: bigint | null;
  last: bigint | null;
}

/** What either engine gives. */
export interface ReceiptRows {
  readonly receipt: Row;
  readonly payer: PayerRow;
}

const toMs = (us: bigint | null | undefined): number | null =>
  us === null || us === undefined ? null : Math.floor(Number(us) / 1000);

export const fromReceiptRow = ({ seq, settled_at, ...rest }: Row): ReceiptRow => ({
  ...rest,
  seq: Number(seq),
  settled_at_ms: Math.floor(Number(settled_at) / 1000),
});

export function toTotalsOf(row: PayerRow | null): PayerTotals {
  const count = Number(row?.count ?? 0n);
  return {
    count,
    amount: row?.amount ?? 0n,
    products: Number(row?.products ?? 0n),
    first_ms: toMs(row?.first),
    last_ms: toMs(row?.last),
    is_capped: count === PAYER_RECEIPTS_MAX,
  };
}

/** @param last_seq of the last receipt that was looked at; undefined where all were. */
export function toReceiptPage(
  stored: readonly Row[],
  { limit, last_seq }: { readonly limit: number; readonly last_seq: bigint | undefined },
): ReceiptPage {
  const rows = stored.slice(0, limit).map(fromReceiptRow);
  const is_more = stored.length > limit;
  return { rows, next_before: is_more ? (rows.at(-1)?.seq ?? null) : last_seq === undefined ? null : Number(last_seq) };
}

type Sent = string | number | bigint | null;

/** One statement for all products, and one for a single product by its index, which is the last value sent. */
function prepareBoth(db: Database, render: (and: (of_product: string) => string) => string) {
  const of_all = db.query<unknown, Sent[]>(render(() => ""));
  const of_one = db.query<unknown, Sent[]>(render((of_product) => `AND ${of_product}`));
  return (product: string | undefined, asked: readonly Sent[]) =>
    product === undefined ? of_all.all(...asked) : of_one.all(...asked, product);
}

export function createReceiptQueries(db: Database): ReceiptQueries {
  const select = `SELECT seq, id, r.network, chain_transaction, product, asset, amount, payer, pay_to, label,
      settled_at, request_sha256, response_sha256, node, l.state AS on_chain
    FROM receipts r LEFT JOIN landings l ON l.receipt_id = r.id`;
  // A bare parameter beside a join has SQLite prepare the statement anew each time it is bound.
  const by_id = db.query<Row, [string]>(`${select} WHERE id = +?`);
  const by_transaction = db.query<Row, [string, string]>(
    `${select} WHERE r.network = +? AND chain_transaction = +? ORDER BY seq DESC LIMIT 1`,
  );
  const by_answer = db.query<Row, [string, number]>(
    `${select} WHERE response_sha256 = +? AND settled_at >= +? ORDER BY settled_at LIMIT 1`,
  );
  const charged = db.query<unknown, [string]>(
    "SELECT 1 FROM payments WHERE replay_key = ? AND state IN ('settling', 'unknown', 'settled')",
  );
  const newest = db.query<Row, [number, number]>(`${select} WHERE seq < ? ORDER BY seq DESC LIMIT ?`);
  // A condition that may be of nothing would keep SQLite from the index of products: there are two of each.
  const last_looked_at = prepareBoth(
    db,
    (and) => `SELECT seq FROM receipts WHERE seq < ?1 ${and("product = ?3")} ORDER BY seq DESC LIMIT 1 OFFSET ?2 - 1`,
  );
  const page = prepareBoth(
    db,
    (and) => `${select} WHERE seq < ?1 AND seq >= ?2 AND (?4 IS NULL OR label = ?4)
       AND (?5 IS NULL OR r.network = ?5) ${and("product = ?6")} ORDER BY seq DESC LIMIT ?3`,
  );
  const all = db.query("SELECT label, sum(count) AS count, sum(amount) AS amount FROM receipt_totals GROUP BY label");
  const since = db.query(
    "SELECT label, sum(count) AS count, sum(amount) AS amount FROM receipt_hours WHERE hour >= ? GROUP BY label",
  );
  const of_payer = db.query<PayerRow, [string]>(
    `SELECT count(*) AS count, coalesce(sum(amount), 0) AS amount, count(DISTINCT product) AS products,
       min(settled_at) AS first, max(settled_at) AS last
     FROM (SELECT r.amount, r.product, r.settled_at FROM payments p JOIN receipts r ON r.payment_id = p.id
           WHERE p.payer = ? LIMIT ${PAYER_RECEIPTS_MAX})`,
  );
  const last = db.query("SELECT product, max(last_settled_at) AS at FROM receipt_totals GROUP BY product");
  return {
    get(id) {
      const row = by_id.get(id);
      return row ? fromReceiptRow(row) : null;
    },
    mayBeCharged: (replay_key) => charged.get(replay_key) !== null,
    findByTransaction(network, chain_transaction) {
      const row = by_transaction.get(network, chain_transaction);
      return row ? fromReceiptRow(row) : null;
    },
    findByAnswer(response_sha256, from_ms) {
      const row = by_answer.get(response_sha256, from_ms * 1000);
      return row ? fromReceiptRow(row) : null;
    },
    list: ({ limit, before_seq }) => newest.all(before_seq ?? Number.MAX_SAFE_INTEGER, limit).map(fromReceiptRow),
    page({ limit, before_seq, label, network, product, looks_max = PAGE_LOOKS_MAX }) {
      const before = before_seq ?? Number.MAX_SAFE_INTEGER;
      const last = last_looked_at(product, [before, looks_max])[0] as Pick<Row, "seq"> | undefined;
      const asked = [before, last?.seq ?? 0n, limit + 1, label ?? null, network ?? null];
      return toReceiptPage(page(product, asked) as readonly Row[], { limit, last_seq: last?.seq });
    },
    totals(since_ms) {
      const sums = { organic: { count: 0, amount: 0n }, "operator-test": { count: 0, amount: 0n } };
      const rows = since_ms === undefined ? all.all() : since.all(Math.floor(since_ms / HOUR_MS));
      for (const row of rows as { label: ReceiptLabel; count: bigint; amount: bigint }[]) {
        sums[row.label] = { count: Number(row.count), amount: row.amount };
      }
      return sums;
    },
    totalsOf: (payer) => toTotalsOf(of_payer.get(payer)),
    lastByProduct() {
      const rows = last.all() as { product: string; at: bigint }[];
      return new Map(rows.map((row) => [row.product, Math.floor(Number(row.at) / 1000)]));
    },
  };
}
