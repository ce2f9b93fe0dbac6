import { NodeError } from "../core/errors.ts";
import type { Funding, Grant } from "./grant.ts";
import type { KeyReader, KeyRow } from "./key-rows.ts";
import type { Promised } from "./promised.ts";

export type { Grant } from "./grant.ts";

export interface NewKey {
  readonly public_id: string;
  /** SHA-256 of the key, hex. */
  readonly hash: string;
  /** Kept until the purchase can no longer be recovered. */
  readonly salt: Uint8Array | null;
  readonly label: string | null;
  readonly purchaser: string | null;
}

export interface NewChild {
  readonly public_id: string;
  readonly hash: string;
  readonly label: string | null;
  readonly daily_cap: bigint | null;
  readonly call_cap: bigint | null;
  readonly products: readonly string[] | null;
  readonly expires_at_ms: number | null;
}

/** What may be changed of a key that is there. */
export interface KeyAmendment {
  readonly label?: string | null;
  /** Atomic USDC a UTC day. */
  readonly daily_cap?: bigint | null;
  /** Atomic USDC a call. */
  readonly call_cap?: bigint | null;
}

export interface KeyQueries extends KeyReader {
  saltOf(public_id: string): Uint8Array | null;
  /** What all balances hold together. */
  credits(): bigint;
}

/** What is given to keys. Each promise resolves only when the change is on disk. */
export interface KeyCommands {
  issue(key: NewKey, grant: Grant, funding: Funding): Promise<KeyRow>;
  /** Tops up, each time with its own end, or extends. A balance or pass that is running is never shortened. */
  grant(public_id: string, grant: Grant, funding: Funding): Promise<KeyRow>;
  /** A key below another one, drawing on its balance and pass within its own limits. */
  mint(parent: KeyRow, child: NewChild): Promise<KeyRow>;
  /** Omitted members do not change; null removes a cap or the label. */
  amend(public_id: string, change: KeyAmendment): Promise<KeyRow>;
  /** Ends a key for good; below it, its children. Again: nothing happens. */
  revoke(public_id: string): Promise<KeyRow>;
  /**
   * Books what is left of a balance's lots that have ended, or of all when its key was revoked; what was booked is
   * not booked again. Returns the amount.
   * @throws NodeError invalid_parameter while none of the lots has ended.
   */
  expire(public_id: string): Promise<bigint>;
  /** Forgets the salts of keys made before a time: from then on a key exists only with its holder. */
  dropSalts(before_ms: number): Promise<number>;
}

/** The keys as the books keep them. */
export type KeyBooks = KeyCommands & Promised<KeyQueries>;

/** What a settlement or a voucher does to a key, inside its own db transaction. */
export interface KeyPurchases {
  /** @returns the transfer that carries the payment. */
  applyPurchase(purchase: Purchase, paid: PaidPurchase): number;
}

/** What a plan purchase does when it settles; stored with the payment before money moves. */
export interface Purchase {
  readonly grant: Grant;
  /** The key it tops up, or the new one. */
  readonly target: { readonly public_id: string } | { readonly key: NewKey };
}

export interface PaidPurchase {
  readonly funding: Funding;
  /** Ledger time, microseconds: of a voucher, its step's. */
  readonly at: number;
}

/** The refusals for operations on a key that cannot be changed. */
export const KEY_REFUSALS = {
  no_key: () => new NodeError("not_found", "No such key."),
  child_key: () => new NodeError("invalid_parameter", "A child key has no balance of its own."),
  revoked: () => new NodeError("api_key_revoked", "This key was revoked."),
  not_ended: () =>
    new NodeError("invalid_parameter", "Only a balance that has ended or whose key was revoked expires."),
};
