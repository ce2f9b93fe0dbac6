/** What a plan, or the operator, gives a key. Amounts in atomic USDC. */
export interface Grant {
  readonly plan: string;
  readonly credit: bigint;
  /** How long the pass or the credit lasts; null is for ever. */
  readonly duration_ms: number | null;
  /** Calls without debits for `duration_ms`. */
  readonly pass: boolean;
  readonly priority: number;
  /** Id of the public badge it brings; a key that has one keeps it. */
  readonly badge: string | null;
  /** When the buyer was told it begins. Counts only if recent: the buyer must not lose the time he waited. */
  readonly from_ms?: number;
}

/** Who pays for a grant. */
export type Funding =
  | { readonly by: "payment"; readonly payment_id: string; readonly network: string; readonly paid: bigint }
  /** A voucher of a payment channel, which is earned in the same commit. */
  | { readonly by: "voucher"; readonly paid: bigint }
  /** Nothing came in: the operator gives it away. */
  | { readonly by: "operator" };
