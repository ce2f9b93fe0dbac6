import type { ChainHead, RecordQuery } from "../../records/record-chain.ts";
import { getGenesis } from "../../records/record-chain.ts";
import type { CouponQueries } from "../coupons.ts";
import { obstacleOf } from "../decide/coupons.ts";
import { ALL_TIME, fromCounts, fromDueRow, hourOf, type LandingQueries, type LandingRows } from "../landings.ts";
import { INCOME, type StoredIncome, toIncomeRow } from "../list-income.ts";
import type { ManifestQueries } from "../manifest.ts";
import type { Promised } from "../promised.ts";
import { READ_MAX, type RecordQueries, type RecordStored, readRow } from "../records.ts";
import type { Reader } from "./reader.ts";

export function createCouponQueries({ get }: Reader): Promised<CouponQueries> {
  return {
    async findObstacle(client, { client_since_ms, budget, budget_since_ms }) {
      const row = await get<{ used: boolean; total: bigint }>(
        `SELECT EXISTS (SELECT 1 FROM coupons WHERE client = $1::text AND at >= $2::bigint) AS used,
           (SELECT CAST(coalesce(sum(amount), 0) AS bigint) FROM coupons WHERE at >= $3::bigint) AS total`,
        [client, client_since_ms * 1000, budget_since_ms * 1000],
      );
      return obstacleOf(budget, { client_has_one: row?.used === true, spent: row?.total ?? 0n });
    },
  };
}

export function createManifestQueries({ get }: Reader): Promised<ManifestQueries> {
  return {
    async read() {
      const row = await get<{ digest: string; changed_at: bigint }>("SELECT digest, changed_at FROM manifest");
      return row && { digest: row.digest, changed_at: Number(row.changed_at) };
    },
  };
}

export function createLandingQueries({ all, get }: Reader): Promised<LandingQueries> {
  const sums = ["pending", "confirmed", "missing", "disbelieved"]
    .map((state) => `CAST(sum(CASE WHEN state = '${state}' THEN count ELSE 0 END) AS bigint) AS ${state}`)
    .join(", ");
  return {
    async listDue(network, now_ms, limit) {
      const rows = await all<LandingRows["due"]>(
        `SELECT l.receipt_id, r.payment_id, l.network, l.facilitator, l.state, l.looks, l.doubted, r.chain_transaction,
           r.amount, r.pay_to, p.payload, p.created_at, p.updated_at AS settled_at
         FROM landings l JOIN receipts r ON r.id = l.receipt_id JOIN payments p ON p.id = r.payment_id
         WHERE l.network = $1::text AND l.due_at <= $2::bigint ORDER BY l.due_at LIMIT $3::bigint`,
        [network, now_ms, limit],
      );
      return rows.map(fromDueRow);
    },
    async counts(since_ms) {
      const [condition, hour] = since_ms === undefined ? ["hour = $1", ALL_TIME] : ["hour >= $1", hourOf(since_ms)];
      const rows = await all<LandingRows["counts"]>(
        `SELECT network, facilitator, ${sums} FROM landing_counts WHERE ${condition}::bigint
         GROUP BY network, facilitator ORDER BY network, facilitator`,
        [hour],
      );
      return rows.map(fromCounts);
    },
    async doubts(since_ms) {
      const rows = await all<{ network: string; facilitator: string; count: bigint }>(
        `SELECT network, facilitator, count(*) AS count FROM landings WHERE doubted = 1 AND hour >= $1::bigint
         GROUP BY network, facilitator ORDER BY network, facilitator`,
        [hourOf(since_ms)],
      );
      return rows.map((row) => ({ ...row, count: Number(row.count) }));
    },
    async listMissing(limit) {
      const rows = await all<LandingRows["missing"]>(
        `SELECT l.receipt_id, r.payment_id, l.network, l.facilitator, r.chain_transaction, r.amount, l.checked_at
         FROM landings l JOIN receipts r ON r.id = l.receipt_id
         WHERE l.state = 'missing' ORDER BY l.checked_at DESC LIMIT $1::bigint`,
        [limit],
      );
      return rows.map(({ checked_at, ...rest }) => ({
        ...rest,
        checked_at_ms: checked_at === null ? null : Number(checked_at),
      }));
    },
    async listIncome({ from_ms, until_ms }) {
      const numbered = INCOME.replaceAll("$from", "$1::bigint").replaceAll("$until", "$2::bigint");
      return (await all<StoredIncome>(numbered, [from_ms * 1000, until_ms * 1000])).map(toIncomeRow);
    },
    async countUnknown() {
      return Number((await get<{ n: bigint }>("SELECT count(*) AS n FROM payments WHERE state = 'unknown'"))?.n ?? 0n);
    },
  };
}

export function createRecordQueries({ all, get }: Reader): Promised<RecordQueries> {
  return {
    async head(realm, chain): Promise<ChainHead> {
      const row = await get<{ seq: bigint; record_hash: string }>(
        "SELECT seq, record_hash FROM records WHERE realm = $1::text AND chain = $2::text ORDER BY seq DESC LIMIT 1",
        [realm, chain],
      );
      return row ? { length: Number(row.seq), head: row.record_hash } : { length: 0, head: getGenesis(chain) };
    },
    async read(realm, chain, query: RecordQuery) {
      const { after_seq = 0, since_ms = 0, open = false, limit = READ_MAX, newest = false } = query;
      const rows = await all<RecordStored>(
        `SELECT r.seq, r.record_json, r.record_hash, r.beside_json, r.recorded_at, o.outcome_json, o.outcome_hash,
           o.beside_json AS outcome_beside_json, o.scored_at
         FROM records r LEFT JOIN record_outcomes o ON o.realm = r.realm AND o.chain = r.chain AND o.seq = r.seq
         WHERE r.realm = $1::text AND r.chain = $2::text AND r.seq > $3::bigint AND r.recorded_at >= $4::bigint
           AND ($5::boolean = false OR o.outcome_json IS NULL)
         ORDER BY r.seq ${newest ? "DESC" : "ASC"} LIMIT $6::bigint`,
        [realm, chain, after_seq, since_ms, open, Math.min(limit, READ_MAX)],
      );
      return (newest ? rows.reverse() : rows).map(readRow);
    },
  };
}
