import type { Database } from "bun:sqlite";
import {
  CHILDREN_SHOWN,
  ENDED,
  type KeyReader,
  type KeyRow,
  type StoredKey,
  SUSPENDED,
  toKeyRow,
} from "../key-rows.ts";
import { LOT_ORDER, OPEN_LOTS, readLots, type StoredLot } from "../lots.ts";

const COLUMNS =
  "id, public_id, plan, account, parent, label, purchaser, badge, priority, priority_until, pass_until, " +
  "balance_until, lot_until, expires_at, revoked_at, suspended_at, daily_cap, call_cap, products, created_at";

export function createKeyReader(db: Database): KeyReader {
  const select = `SELECT ${COLUMNS} FROM keys`;
  const by_hash = db.query<StoredKey, [Uint8Array]>(`${select} WHERE hash = ?`);
  const by_public_id = db.query<StoredKey, [string]>(`${select} WHERE public_id = ?`);
  const by_id = db.query<StoredKey, [number]>(`${select} WHERE id = ?`);
  const by_badge = db.query<StoredKey, [string]>(`${select} WHERE badge = ?`);
  const by_parent = db.query<StoredKey, [number]>(
    `SELECT * FROM (${select} WHERE parent = ? ${CHILDREN_SHOWN}) ORDER BY id`,
  );
  const page = db.query<StoredKey, [number, number]>(`${select} WHERE id > ? ORDER BY id LIMIT ?`);
  const suspended = db.query<StoredKey, [number]>(`${select} WHERE ${SUSPENDED} ORDER BY id LIMIT ?`);
  const ended = db.query<{ public_id: string }, [number, number]>(ENDED.replaceAll(/\$[12]::bigint/g, "?"));
  const lots = db.query<StoredLot, [number]>(`${OPEN_LOTS}? ORDER BY ${LOT_ORDER}`);
  const usage = db.query<
    { calls: bigint; spent: bigint; spent_today: bigint; day: bigint; last_call: bigint },
    [number]
  >("SELECT calls, spent, spent_today, day, last_call FROM key_usage WHERE key_id = ?");
  const balance = db.query<{ posted: bigint; pending: bigint }, [string]>(
    "SELECT posted, pending FROM accounts WHERE id = ?",
  );
  const read = (row: StoredKey | null): KeyRow | null => (row ? toKeyRow(row) : null);
  return {
    byHash: (hash_hex) => read(by_hash.get(Buffer.from(hash_hex, "hex"))),
    byPublicId: (public_id) => read(by_public_id.get(public_id)),
    byId: (id) => read(by_id.get(id)),
    byBadge: (badge) => read(by_badge.get(badge)),
    children: (parent) => by_parent.all(parent).map(toKeyRow),
    page: (after_id, limit) => page.all(after_id, limit).map(toKeyRow),
    suspended: (limit) => suspended.all(limit).map(toKeyRow),
    ended: (now_ms, limit) => ended.all(now_ms, limit).map(({ public_id }) => public_id),
    lots: (id) => readLots(lots.all(id)),
    usage(id) {
      const row = usage.get(id);
      if (!row) return { calls: 0, spent: 0n, spent_today: 0n, day: 0, last_call: 0 };
      const { calls, spent, spent_today, day, last_call } = row;
      return { calls: Number(calls), spent, spent_today, day: Number(day), last_call: Number(last_call) };
    },
    balance: (account) => balance.get(account) ?? { posted: 0n, pending: 0n },
  };
}
