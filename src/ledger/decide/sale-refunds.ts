import { ACCOUNTS, chainAccount } from "../transfers.ts";
import { type Decision, NO_TRANSFERS, type ResultOf } from "./results.ts";

/** Money that the operator sent back to a buyer. */
export interface SaleRefund {
  readonly receipt_id: string;
  /** Atomic USDC; null is all that is left of what was paid. */
  readonly amount: bigint | null;
  /** What names it on the operator's side, such as the transaction it was sent by: the same one is written once. */
  readonly reference: string;
}

/** A sale, when some of its money is to be sent back. Amounts in atomic USDC. */
export interface RefundedSale {
  readonly network: string;
  /** What was paid. */
  readonly amount: bigint;
  /** What was given back of it before. */
  readonly given_back: bigint;
  /** The amount that corrections took off the booked one. */
  readonly corrected: bigint;
  /** Whether the chain was found not to have the payment. */
  readonly never_landed: boolean;
  /** The key it bought; null for a call. */
  readonly key: { readonly is_revoked: boolean; readonly balance: bigint } | null;
}

/** What has a reference already. */
export interface NamedRefund {
  readonly receipt_id: string;
  readonly amount: bigint;
}

interface SaleRefundState {
  readonly sale: RefundedSale | null;
  readonly named: NamedRefund | null;
}

type GivenBack = Decision<"given_back"> & { readonly amount: bigint };
type NotGivenBack = Decision<Exclude<ResultOf<"sale_refund">, "given_back">>;

const notGivenBack = (result: NotGivenBack["result"]): NotGivenBack => ({ result, transfers: NO_TRANSFERS });

/** Books what the operator sent back by hand: once for each reference, and never more than was paid. */
export function decideSaleRefund(
  { receipt_id, amount: wanted, reference }: SaleRefund,
  { sale, named }: SaleRefundState,
): GivenBack | NotGivenBack {
  if (sale === null) return notGivenBack("no_sale");
  if (named !== null) {
    const is_same = named.receipt_id === receipt_id && (wanted === null || wanted === named.amount);
    return notGivenBack(is_same ? "given_back_before" : "reference_taken");
  }
  if (sale.never_landed) return notGivenBack("never_landed");
  if (sale.key !== null && (!sale.key.is_revoked || sale.key.balance > 0n)) return notGivenBack("key_in_use");
  const left = sale.amount - sale.corrected - sale.given_back;
  const amount = wanted ?? left;
  if (left <= 0n || amount <= 0n || amount > left) return notGivenBack("more_than_left");
  const [from, to] = [ACCOUNTS.refunds, chainAccount(sale.network)];
  const transfers = [{ kind: "correction" as const, reference: `refund:${reference}`, from, to, amount }];
  return { result: "given_back", transfers, amount };
}
