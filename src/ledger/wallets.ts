import type { KeyRow } from "./key-rows.ts";
import type { Promised } from "./promised.ts";
import type { OnChain } from "./receipts.ts";

/** An address on one network: a contract's address may be somebody else's on the next one. */
export interface LedgerWallet {
  readonly address: string;
  /** CAIP-2. */
  readonly network: string;
}

/** What a wallet paid for once. */
export interface WalletPurchase {
  readonly seq: number;
  readonly receipt_id: string;
  readonly payment_id: string;
  readonly product: string;
  readonly network: string;
  readonly chain_transaction: string;
  readonly amount: bigint;
  /** The most that was signed for, where the payer signed for at most an amount. */
  readonly authorized: bigint | null;
  readonly settled_at_ms: number;
  readonly on_chain: OnChain | null;
  /** Whether its answer is still in the books. */
  readonly has_answer: boolean;
  /** From when its keeping time counts, ms. */
  readonly updated_at_ms: number;
  /** Whether a key or a pass was bought with it. */
  readonly is_plan: boolean;
}

export interface PurchasesAsked extends LedgerWallet {
  readonly limit: number;
  readonly before_seq?: number | undefined;
  /** Settled from then on, and before then, ms. */
  readonly from_ms?: number | undefined;
  readonly until_ms?: number | undefined;
}

/** A payment whose outcome is not known. */
export interface OpenPayment {
  readonly payment_id: string;
  readonly product: string;
  readonly amount: bigint;
  readonly created_at_ms: number;
}

/** What is read of one wallet. */
export interface WalletQueries {
  /** Newest first. */
  purchases(asked: PurchasesAsked): readonly WalletPurchase[];
  /** Newest first, so many at most. */
  openPayments(wallet: LedgerWallet, limit: number): readonly OpenPayment[];
  /** The keys this wallet's payments made, not those it topped up; newest first. */
  keys(wallet: LedgerWallet, limit: number): readonly KeyRow[];
}

export interface WalletCommands {
  /**
   * Takes a nonce that a wallet signed.
   * @returns true for the first use, even across restarts and the nodes of a cluster.
   */
  useNonce(nonce: string, times: { readonly until_ms: number; readonly now_ms: number }): Promise<boolean>;
}

export type WalletBooks = WalletCommands & Promised<WalletQueries>;

const KEY_COLUMNS =
  "k.id, k.public_id, k.plan, k.account, k.parent, k.label, k.purchaser, k.badge, k.priority, k.priority_until, " +
  "k.pass_until, k.balance_until, k.lot_until, k.expires_at, k.revoked_at, k.suspended_at, k.daily_cap, k.call_cap, " +
  "k.products, k.created_at";

/** Both engines' own words for a parameter differ: `$name` here, `$1::type` there. */
export const renderPurchases = (value: Readonly<Record<keyof PurchaseValues, string>>): string =>
  `SELECT r.seq, r.id AS receipt_id, r.payment_id, r.product, r.network, r.chain_transaction, r.amount, p.authorized,
     r.settled_at, l.state AS on_chain, (p.answer IS NOT NULL) AS has_answer, p.updated_at,
      (p.purchase IS NOT NULL) AS is_plan
   FROM receipts r JOIN payments p ON p.id = r.payment_id LEFT JOIN landings l ON l.receipt_id = r.id
   WHERE r.payer = ${value.address} AND r.network = ${value.network} AND r.seq < ${value.before}
     AND r.settled_at >= ${value.from} AND r.settled_at < ${value.until}
   ORDER BY r.seq DESC LIMIT ${value.limit}`;

export const renderOpen = (value: Readonly<Record<"address" | "network" | "limit", string>>): string =>
  `SELECT id AS payment_id, product, amount, created_at FROM payments
   WHERE payer = ${value.address} AND network = ${value.network} AND state = 'unknown'
   ORDER BY created_at DESC LIMIT ${value.limit}`;

/** A child key has its parent's purchaser, and no payment itself. Of a key sold by voucher the step has its time. */
export const renderKeys = (value: Readonly<Record<"address" | "network" | "limit", string>>): string =>
  `SELECT ${KEY_COLUMNS} FROM keys k
   WHERE k.purchaser = ${value.address} AND k.parent IS NULL AND (EXISTS (
     SELECT 1 FROM grants g JOIN payments p ON p.id = g.payment_id
     WHERE g.key_id = k.id AND p.payer = k.purchaser AND p.network = ${value.network}) OR EXISTS (
     SELECT 1 FROM grants g JOIN channel_steps s ON s.id = g.at JOIN channels c ON c.id = s.channel
     WHERE g.key_id = k.id AND g.payment_id IS NULL AND c.payer = k.purchaser AND c.network = ${value.network}))
   ORDER BY k.id DESC LIMIT ${value.limit}`;

export interface PurchaseValues {
  readonly address: string;
  readonly network: string;
  readonly before: number;
  /** Microseconds. */
  readonly from: number;
  readonly until: number;
  readonly limit: number;
}

export const toPurchaseValues = (asked: PurchasesAsked): PurchaseValues => ({
  address: asked.address,
  network: asked.network,
  before: asked.before_seq ?? Number.MAX_SAFE_INTEGER,
  from: (asked.from_ms ?? 0) * 1000,
  until: asked.until_ms === undefined ? Number.MAX_SAFE_INTEGER : asked.until_ms * 1000,
  limit: asked.limit,
});

/** A purchase as either engine gives it. */
export interface StoredWalletPurchase {
  readonly seq: bigint;
  readonly receipt_id: string;
  readonly payment_id: string;
  readonly product: string;
  readonly network: string;
  readonly chain_transaction: string;
  readonly amount: bigint;
  readonly authorized: bigint | null;
  readonly settled_at: bigint;
  readonly on_chain: OnChain | null;
  readonly has_answer: bigint | boolean;
  readonly updated_at: bigint;
  readonly is_plan: bigint | boolean;
}

const toMs = (us: bigint): number => Math.floor(Number(us) / 1000);

export const toPurchase = ({ settled_at, updated_at, ...row }: StoredWalletPurchase): WalletPurchase => ({
  ...row,
  seq: Number(row.seq),
  settled_at_ms: toMs(settled_at),
  updated_at_ms: toMs(updated_at),
  has_answer: Boolean(row.has_answer),
  is_plan: Boolean(row.is_plan),
});

export type StoredOpenPayment = Omit<OpenPayment, "created_at_ms"> & { readonly created_at: bigint };

export const toOpenPayment = ({ created_at, ...row }: StoredOpenPayment): OpenPayment => ({
  ...row,
  created_at_ms: toMs(created_at),
});
