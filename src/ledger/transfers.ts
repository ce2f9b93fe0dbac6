export type TransferKind =
  | ("sale" | "plan" | "bonus" | "debit" | "coupon" | "refund" | "expiry" | "correction")
  /** Of payment channels: what payers put in, what vouchers earn, its way to the wallet, what is given back. */
  | ("deposit" | "voucher" | "claim" | "sweep" | "return")
  /** Money withdrawn before it was claimed; money the chain claimed for charges these books do not have. */
  | ("loss" | "foreign_claim");

export type AccountKind = "chain" | "revenue" | "credit" | "promotion" | "channel" | "escrow" | "claimed" | "wallet";

export interface Account {
  readonly id: string;
  readonly kind: AccountKind;
}

export interface NewTransfer {
  readonly kind: TransferKind;
  /** What it belongs to, such as a payment id. */
  readonly reference: string;
  readonly from: Account;
  readonly to: Account;
  /** Atomic USDC, above 0. */
  readonly amount: bigint;
  /** Ledger time, microseconds: becomes the transfer's id. */
  readonly at: number;
}

/** Money that came in through a network; its posted balance is minus what the network has paid us in all. */
export const chainAccount = (network: string): Account => ({ id: `chain:${network}`, kind: "chain" });

/** The prepaid balance of a key: what the node owes its holder. */
export const creditAccount = (public_id: string): Account => ({ id: `credit:${public_id}`, kind: "credit" });

export const ACCOUNTS = {
  /** Calls paid one by one through a network. */
  sales: { id: "revenue:sales", kind: "revenue" },
  /** Passes. */
  plans: { id: "revenue:plans", kind: "revenue" },
  /** Calls paid from prepaid balances. */
  calls: { id: "revenue:calls", kind: "revenue" },
  /** Calls paid by the vouchers of payment channels. */
  channels: { id: "revenue:channels", kind: "revenue" },
  /** Sent back to buyers by hand: its balance is below zero. */
  refunds: { id: "revenue:refunds", kind: "revenue" },
  /** Booked, and not come in, as the operator found it: its balance is not above zero. */
  corrections: { id: "revenue:corrections", kind: "revenue" },
  /** Balances that expired unused. */
  expired: { id: "revenue:expired", kind: "revenue" },
  /** Credit given on top of what was paid. */
  bonus: { id: "promotion:bonus", kind: "promotion" },
  /** First calls that were free. */
  welcome: { id: "promotion:welcome", kind: "promotion" },
  /** Credit the operator gave away. */
  goodwill: { id: "promotion:goodwill", kind: "promotion" },
} as const satisfies Readonly<Record<string, Account>>;

/** Moves money between two accounts. Everything in it must run inside a db transaction. */
export interface Transfers {
  /**
   * @returns the transfer's id.
   * @throws InvariantError when the amount is not positive or a cached balance would not follow.
   */
  post(transfer: NewTransfer): number;
  /** Many at once: each has its own row, but a balance changes once, by the sum of its moves. */
  postAll(transfers: readonly NewTransfer[]): void;
  /** Opens an account that may be read before anything was moved to it. */
  open(account: Account, at: number): void;
}
