import type { Clock } from "../../core/clock.ts";
import type { PaymentRow } from "../payment-row.ts";
import { fromRow, SELECT_PAYMENT, type StoredPayment } from "../payment-statements.ts";
import type { PaymentQueries } from "../payments.ts";
import type { Promised } from "../promised.ts";
import {
  fromReceiptRow,
  PAGE_LOOKS_MAX,
  PAYER_RECEIPTS_MAX,
  type ReceiptQueries,
  type ReceiptRows,
  SIGNED_FOR,
  toReceiptPage,
  toTotalsOf,
} from "../receipts.ts";
import type { Reader } from "./reader.ts";

const DAY_US = 86_400_000_000;
const HOUR_MS = 3_600_000;

type Stored = StoredPayment & { readonly owner: string };

const read = (row: Stored | null): PaymentRow | null => {
  if (row === null) return null;
  // The owner of the work concerns the books alone.
  const { owner: _owner, ...rest } = row;
  return fromRow(rest);
};

export function createPaymentQueries({ all, get }: Reader, clock: Clock): Promised<PaymentQueries> {
  const one = async (condition: string, value: string): Promise<PaymentRow | null> =>
    read(await get<Stored>(`${SELECT_PAYMENT} WHERE ${condition} = $1::text`, [value]));
  return {
    findByReplayKey: (replay_key) => one("p.replay_key", replay_key),
    get: (id) => one("p.id", id),
    findByIdentifier: (identifier) => one("p.identifier", identifier),
    async countOpen(payer) {
      const row = await get<{ n: bigint }>(
        "SELECT count(*) AS n FROM payments WHERE state = 'unknown' AND payer = $1::text AND valid_until > $2::bigint",
        [payer, clock.now()],
      );
      return Number(row?.n ?? 0n);
    },
    // The order is explained where SQLite's own is (payment-statements.ts).
    async findEarlier(payer, fingerprint, not_id) {
      const row = await get<Stored>(
        `${SELECT_PAYMENT} WHERE p.id = (
           SELECT id FROM (
             SELECT *, max(CASE WHEN state = 'settled' THEN created_at END) OVER () AS sold_at FROM (
               SELECT id, state, delivered, valid_until, created_at, abs(updated_at - $4::bigint) AS age FROM payments
               WHERE payer = $1::text AND fingerprint = $2::text AND id <> $3::text
                 AND state IN ('unknown', 'settled') AND answer IS NOT NULL ORDER BY created_at DESC LIMIT 20
             ) AS newest) AS compared
           ORDER BY (state = 'unknown' AND (valid_until > $4::bigint / 1000 OR created_at > coalesce(sold_at, 0))) DESC,
             (state = 'unknown'), (delivered = 0 AND age < ${DAY_US}) DESC, age LIMIT 1)`,
        [payer, fingerprint, not_id, clock.now() * 1000],
      );
      return read(row);
    },
    async listUnknown(limit, from_ms = 0) {
      const rows = await all<Stored>(
        `${SELECT_PAYMENT} WHERE p.state = 'unknown' AND p.created_at >= $1::bigint
         ORDER BY p.created_at LIMIT $2::bigint`,
        [from_ms * 1000, limit],
      );
      return rows.map((row) => read(row)).filter((row) => row !== null);
    },
  };
}

const SELECT_RECEIPT = `SELECT r.seq, r.id, r.network, r.chain_transaction, r.product, r.asset, r.amount,
    ${SIGNED_FOR}, r.payer, r.pay_to, r.label, r.settled_at, r.request_sha256, r.response_sha256, r.node,
     l.state AS on_chain
  FROM receipts r LEFT JOIN landings l ON l.receipt_id = r.id`;

export function createReceiptQueries({ all, get }: Reader): Promised<ReceiptQueries> {
  type Stored = ReceiptRows["receipt"];
  return {
    async get(id) {
      const row = await get<Stored>(`${SELECT_RECEIPT} WHERE r.id = $1::text`, [id]);
      return row && fromReceiptRow(row);
    },
    async mayBeCharged(replay_key) {
      const sql = "SELECT 1 FROM payments WHERE replay_key = $1::text AND state IN ('settling', 'unknown', 'settled')";
      return (await get(sql, [replay_key])) !== null;
    },
    async findByTransaction(network, chain_transaction) {
      const row = await get<Stored>(
        `${SELECT_RECEIPT} WHERE r.network = $1::text AND r.chain_transaction = $2::text ORDER BY r.seq DESC LIMIT 1`,
        [network, chain_transaction],
      );
      return row && fromReceiptRow(row);
    },
    async findByAnswer(response_sha256, from_ms) {
      const row = await get<Stored>(
        `${SELECT_RECEIPT} WHERE r.response_sha256 = $1::text AND r.settled_at >= $2::bigint
         ORDER BY r.settled_at LIMIT 1`,
        [response_sha256, from_ms * 1000],
      );
      return row && fromReceiptRow(row);
    },
    async list({ limit, before_seq }) {
      const sql = `${SELECT_RECEIPT} WHERE r.seq < $1::bigint ORDER BY r.seq DESC LIMIT $2::bigint`;
      return (await all<Stored>(sql, [before_seq ?? Number.MAX_SAFE_INTEGER, limit])).map(fromReceiptRow);
    },
    async page({ limit, before_seq, label, network, product, looks_max = PAGE_LOOKS_MAX }) {
      const before = before_seq ?? Number.MAX_SAFE_INTEGER;
      const last = await get<Pick<Stored, "seq">>(
        `SELECT seq FROM receipts WHERE seq < $1::bigint AND ($3::text IS NULL OR product = $3::text)
         ORDER BY seq DESC LIMIT 1 OFFSET $2::bigint - 1`,
        [before, looks_max, product ?? null],
      );
      const rows = await all<Stored>(
        `${SELECT_RECEIPT} WHERE r.seq < $1::bigint AND r.seq >= $2::bigint AND ($3::text IS NULL OR r.label = $3::text)
           AND ($4::text IS NULL OR r.network = $4::text) AND ($5::text IS NULL OR r.product = $5::text)
         ORDER BY r.seq DESC LIMIT $6::bigint`,
        [before, last?.seq ?? 0n, label ?? null, network ?? null, product ?? null, limit + 1],
      );
      return toReceiptPage(rows, { limit, last_seq: last?.seq });
    },
    async totals(since_ms) {
      const sums = { organic: { count: 0, amount: 0n }, "operator-test": { count: 0, amount: 0n } };
      const [table, condition, values] =
        since_ms === undefined
          ? ["receipt_totals", "true", []]
          : ["receipt_hours", "hour >= $1::bigint", [Math.floor(since_ms / HOUR_MS)]];
      const rows = await all<{ label: keyof typeof sums; count: bigint; amount: bigint }>(
        `SELECT label, CAST(sum(count) AS bigint) AS count, CAST(sum(amount) AS bigint) AS amount FROM ${table}
         WHERE ${condition} GROUP BY label`,
        values,
      );
      for (const { label, count, amount } of rows) sums[label] = { count: Number(count), amount };
      return sums;
    },
    async totalsOf(payer) {
      const row = await get<ReceiptRows["payer"]>(
        `SELECT count(*) AS count, CAST(coalesce(sum(amount), 0) AS bigint) AS amount,
           count(DISTINCT product) AS products, min(settled_at) AS first, max(settled_at) AS last
         FROM (SELECT r.amount, r.product, r.settled_at FROM payments p JOIN receipts r ON r.payment_id = p.id
               WHERE p.payer = $1::text LIMIT ${PAYER_RECEIPTS_MAX}) AS paid`,
        [payer],
      );
      return toTotalsOf(row);
    },
    async lastByProduct() {
      const sql = "SELECT product, max(last_settled_at) AS at FROM receipt_totals GROUP BY product";
      const rows = await all<{ product: string; at: bigint }>(sql);
      return new Map(rows.map((row) => [row.product, Math.floor(Number(row.at) / 1000)]));
    },
  };
}
