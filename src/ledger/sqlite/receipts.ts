import type { Database } from "bun:sqlite";
import {
  fromReceiptRow,
  PAGE_LOOKS_MAX,
  PAYER_RECEIPTS_MAX,
  type PayerRow,
  type ReceiptLabel,
  type ReceiptQueries,
  SIGNED_FOR,
  type StoredReceipt,
  toReceiptPage,
  toTotalsOf,
} from "../receipts.ts";

const HOUR_MS = 3_600_000;

type SQLValue = string | number | bigint | null;

/** One statement for all products, and one for a single product by its index, which is the last value sent. */
function prepareBoth(db: Database, render: (and: (of_product: string) => string) => string) {
  const of_all = db.query<unknown, SQLValue[]>(render(() => ""));
  const of_one = db.query<unknown, SQLValue[]>(render((of_product) => `AND ${of_product}`));
  return (product: string | undefined, asked: readonly SQLValue[]) =>
    product === undefined ? of_all.all(...asked) : of_one.all(...asked, product);
}

export function createReceiptQueries(db: Database): ReceiptQueries {
  const select = `SELECT seq, id, r.network, chain_transaction, product, asset, amount, ${SIGNED_FOR},
      payer, pay_to, label, settled_at, request_sha256, response_sha256, node, l.state AS on_chain
    FROM receipts r LEFT JOIN landings l ON l.receipt_id = r.id`;
  // A bare parameter beside a join has SQLite prepare the statement anew each time it is bound.
  const by_id = db.query<StoredReceipt, [string]>(`${select} WHERE id = +?`);
  const by_transaction = db.query<StoredReceipt, [string, string]>(
    `${select} WHERE r.network = +? AND chain_transaction = +? ORDER BY seq DESC LIMIT 1`,
  );
  const by_answer = db.query<StoredReceipt, [string, number]>(
    `${select} WHERE response_sha256 = +? AND settled_at >= +? ORDER BY settled_at LIMIT 1`,
  );
  const charged = db.query<unknown, [string]>(
    "SELECT 1 FROM payments WHERE replay_key = ? AND state IN ('settling', 'unknown', 'settled')",
  );
  const newest = db.query<StoredReceipt, [number, number]>(`${select} WHERE seq < ? ORDER BY seq DESC LIMIT ?`);
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
      const last = last_looked_at(product, [before, looks_max])[0] as Pick<StoredReceipt, "seq"> | undefined;
      const asked = [before, last?.seq ?? 0n, limit + 1, label ?? null, network ?? null];
      return toReceiptPage(page(product, asked) as readonly StoredReceipt[], { limit, last_seq: last?.seq });
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
