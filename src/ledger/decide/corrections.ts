import { ACCOUNTS, chainAccount } from "../transfers.ts";
import { type Decision, NO_TRANSFERS, type ResultOf } from "./results.ts";

/** What the operator found that came in for a sale. */
interface CorrectionCommand {
  /** Atomic USDC. */
  readonly received: bigint;
  readonly reference: string;
}

/** What is known of a sale when it is to be corrected. */
export interface SaleState {
  readonly network: string;
  /** What was booked, atomic USDC. */
  readonly amount: bigint;
  /** What corrections before took off. */
  readonly corrected: bigint;
  /** What a look at the chain found of it. */
  readonly on_chain: string | null;
  /** What it bought can still be used. */
  readonly is_key_in_use: boolean;
}

export interface Corrected extends Decision<"corrected"> {
  /** What is taken off the sale; below zero: put back. */
  readonly amount: bigint;
  /** The chain is said not to have the payment, and the operator says it does. */
  readonly confirms: boolean;
}
type CorrectionRefused = Decision<Exclude<ResultOf<"correction">, "corrected">>;

/**
 * The operator received another amount for a sale than was booked. A sale that the chain does not have already counts
 * as no income without a booking: it is corrected only to say that some of it came.
 */
export function decideCorrection(
  { received, reference }: CorrectionCommand,
  { network, amount: booked, corrected, on_chain, is_key_in_use }: SaleState,
): Corrected | CorrectionRefused {
  if (received < 0n || received > booked) return { result: "impossible", transfers: NO_TRANSFERS };
  const is_missing = on_chain === "missing";
  if (is_missing && received === 0n) return { result: "missing_already", transfers: NO_TRANSFERS };
  const amount = booked - corrected - received;
  if (amount === 0n && !is_missing) return { result: "so_already", transfers: NO_TRANSFERS };
  if (amount > 0n && is_key_in_use) return { result: "key_in_use", transfers: NO_TRANSFERS };
  const [chain, off] = [chainAccount(network), ACCOUNTS.corrections];
  const [from, to] = amount > 0n ? [off, chain] : [chain, off];
  const moved = { kind: "correction", reference: `correct:${reference}`, from, to } as const;
  return {
    result: "corrected",
    transfers: amount === 0n ? NO_TRANSFERS : [{ ...moved, amount: amount > 0n ? amount : -amount }],
    amount,
    confirms: is_missing,
  };
}
