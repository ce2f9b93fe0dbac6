import { cleanForeign } from "../core/foreign-text.ts";
import type { Lot } from "./decide/lots.ts";

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
