import {
  CHILDREN_SHOWN,
  ENDED,
  type KeyReader,
  type KeyRow,
  type StoredKey,
  SUSPENDED,
  toKeyRow,
} from "../key-rows.ts";
import type { KeyQueries } from "../keys.ts";
import { LOT_ORDER, OPEN_LOTS, readLots, type StoredLot } from "../lots.ts";
import type { Promised } from "../promised.ts";
import type { Reader } from "./reader.ts";

const COLUMNS =
  "id, public_id, plan, account, parent, label, purchaser, badge, priority, priority_until, pass_until, " +
  "balance_until, lot_until, expires_at, revoked_at, suspended_at, daily_cap, call_cap, products, created_at";

interface UsageRow {
  readonly calls: bigint;
  readonly spent: bigint;
  readonly spent_today: bigint;
  readonly day: bigint;
  readonly last_call: bigint;
}

export function createKeyQueries({ all, get }: Reader): Promised<KeyQueries> {
  const select = `SELECT ${COLUMNS} FROM keys`;
  const one = async (condition: string, value: string | number | Uint8Array): Promise<KeyRow | null> => {
    const row = await get<StoredKey>(`${select} WHERE ${condition}`, [value]);
    return row ? toKeyRow(row) : null;
  };
  const reader: Promised<KeyReader> = {
    byHash: (hash_hex) => one("hash = $1::bytea", Buffer.from(hash_hex, "hex")),
    byPublicId: (public_id) => one("public_id = $1::text", public_id),
    byId: (id) => one("id = $1::bigint", id),
    byBadge: (badge) => one("badge = $1::text", badge),
    children: async (parent) =>
      (
        await all<StoredKey>(
          `SELECT * FROM (${select} WHERE parent = $1::bigint ${CHILDREN_SHOWN}) AS shown ORDER BY id`,
          [parent],
        )
      ).map(toKeyRow),
    page: async (after_id, limit) => {
      const rows = await all<StoredKey>(`${select} WHERE id > $1::bigint ORDER BY id LIMIT $2::bigint`, [
        after_id,
        limit,
      ]);
      return rows.map(toKeyRow);
    },
    suspended: async (limit) =>
      (await all<StoredKey>(`${select} WHERE ${SUSPENDED} ORDER BY id LIMIT $1::bigint`, [limit])).map(toKeyRow),
    ended: async (now_ms, limit) =>
      (await all<{ public_id: string }>(ENDED, [now_ms, limit])).map(({ public_id }) => public_id),
    lots: async (id) => readLots(await all<StoredLot>(`${OPEN_LOTS}$1::bigint ORDER BY ${LOT_ORDER}`, [id])),
    async usage(id) {
      const row = await get<UsageRow>(
        "SELECT calls, spent, spent_today, day, last_call FROM key_usage WHERE key_id = $1::bigint",
        [id],
      );
      if (!row) return { calls: 0, spent: 0n, spent_today: 0n, day: 0, last_call: 0 };
      const { calls, spent, spent_today, day, last_call } = row;
      return { calls: Number(calls), spent, spent_today, day: Number(day), last_call: Number(last_call) };
    },
    async balance(account) {
      const row = await get<{ posted: bigint; pending: bigint }>(
        "SELECT posted, pending FROM accounts WHERE id = $1::text",
        [account],
      );
      return row ?? { posted: 0n, pending: 0n };
    },
  };
  return {
    ...reader,
    async saltOf(public_id) {
      const row = await get<{ salt: Uint8Array | null }>("SELECT salt FROM keys WHERE public_id = $1::text", [
        public_id,
      ]);
      return row?.salt ?? null;
    },
    async credits() {
      const sql = "SELECT CAST(coalesce(sum(posted), 0) AS bigint) AS total FROM account_parts WHERE kind = 'credit'";
      return (await get<{ total: bigint }>(sql))?.total ?? 0n;
    },
  };
}
