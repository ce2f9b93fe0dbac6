import type { Database } from "bun:sqlite";
import { cleanForeign } from "../core/foreign-text.ts";
import type { Lot } from "./decide/lots.ts";
import { LOT_ORDER, OPEN_LOTS, readLots, type StoredLot } from "./lots.ts";

/** An API key as the ledger knows it: never the key itself. Times in ms. */
export interface KeyRow {
  readonly id: number;
  /** "key_…": names the key in answers, logs and the operator's commands. */
  readonly public_id: string;
  readonly plan: string;
  /** The credit account it draws on; null when it never had a balance. */
  readonly account: string | null;
  readonly parent: number | null;
  readonly label: string | null;
  readonly purchaser: string | null;
  readonly badge: string | null;
  readonly priority: number;
  readonly priority_until_ms: number | null;
  readonly pass_until_ms: number | null;
  /** When the last lot of the balance ends, or ended; null is never. */
  readonly balance_until_ms: number | null;
  /** When the first open lot of it ends: from then on it is booked before anything else is spent. */
  readonly lot_until_ms: number | null;
  readonly expires_at_ms: number | null;
  readonly revoked_at_ms: number | null;
  /** Since when a payment for it is missing on the chain; it cannot be used until that has landed. */
  readonly suspended_at_ms: number | null;
  readonly daily_cap: bigint | null;
  readonly call_cap: bigint | null;
  /** Product ids it may call; null is all. */
  readonly products: readonly string[] | null;
  readonly created_at_ms: number;
}

export interface KeyUsage {
  readonly calls: number;
  /** Atomic USDC debited in all. */
  readonly spent: bigint;
  /** Atomic USDC debited or held on `day`. */
  readonly spent_today: bigint;
  /** UTC day number. */
  readonly day: number;
  readonly last_call: number;
}

const LABEL_CHARS_MAX = 80;
/** The holder's own words for a key: one line, nothing invisible; null when nothing is left. */
export const cleanLabel = (label: string | null): string | null =>
  label === null ? null : cleanForeign(label, LABEL_CHARS_MAX) || null;

/** A key as either engine stores it. */
export interface StoredKey {
  id: bigint;
  public_id: string;
  plan: string;
  account: string | null;
  parent: bigint | null;
  label: string | null;
  purchaser: string | null;
  badge: string | null;
  priority: bigint;
  priority_until: bigint | null;
  pass_until: bigint | null;
  balance_until: bigint | null;
  lot_until: bigint | null;
  expires_at: bigint | null;
  revoked_at: bigint | null;
  suspended_at: bigint | null;
  daily_cap: bigint | null;
  call_cap: bigint | null;
  products: string | null;
  created_at: bigint;
}

const ms = (value: bigint | null): number | null => (value === null ? null : Number(value));

export const toKeyRow = (row: StoredKey): KeyRow => ({
  id: Number(row.id),
  public_id: row.public_id,
  plan: row.plan,
  account: row.account,
  parent: ms(row.parent),
  // Cleaned here as well: labels of before this was done when a key is minted are in the books.
  label: cleanLabel(row.label),
  purchaser: row.purchaser,
  badge: row.badge,
  priority: Number(row.priority),
  priority_until_ms: ms(row.priority_until),
  pass_until_ms: ms(row.pass_until),
  balance_until_ms: ms(row.balance_until),
  lot_until_ms: ms(row.lot_until),
  expires_at_ms: ms(row.expires_at),
  revoked_at_ms: ms(row.revoked_at),
  suspended_at_ms: ms(row.suspended_at),
  daily_cap: row.daily_cap,
  call_cap: row.call_cap,
  products: row.products === null ? null : JSON.parse(row.products),
  created_at_ms: Math.floor(Number(row.created_at) / 1000),
});

const COLUMNS =
  "id, public_id, plan, account, parent, label, purchaser, badge, priority, priority_until, pass_until, " +
  "balance_until, lot_until, expires_at, revoked_at, suspended_at, daily_cap, call_cap, products, created_at";

export const ENDED = "SELECT public_id FROM keys WHERE lot_until <= $1::bigint ORDER BY lot_until LIMIT $2::bigint";
export const SUSPENDED = "suspended_at IS NOT NULL AND revoked_at IS NULL";

/** Those that live come first: a time to come is later than all that have passed. */
export const CHILDREN_SHOWN =
  "ORDER BY revoked_at IS NOT NULL, expires_at IS NOT NULL, expires_at DESC, id DESC LIMIT 2000";

/** Reads keys. */
export interface KeyReader {
  byHash(hash_hex: string): KeyRow | null;
  byPublicId(public_id: string): KeyRow | null;
  byId(id: number): KeyRow | null;
  byBadge(badge: string): KeyRow | null;
  /** In the order they were made: all that live, and of the dead as many of the newest as 2,000 leave room for. */
  children(parent: number): readonly KeyRow[];
  /** In the order they were made. */
  page(after_id: number, limit: number): readonly KeyRow[];
  /** Those whose payment is missing on the chain, oldest key first; not those that were revoked since. */
  suspended(limit: number): readonly KeyRow[];
  /** Keys of balances of which something has ended by a time (ms) and is not booked yet, the earliest first. */
  ended(now_ms: number, limit: number): readonly string[];
  /** The parts of a balance that can be spent, in the order they are. */
  lots(id: number): readonly Lot[];
  usage(id: number): KeyUsage;
  balance(account: string): { readonly posted: bigint; readonly pending: bigint };
}

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
