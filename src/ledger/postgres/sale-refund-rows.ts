import type { NamedRefund, RefundedSale } from "../decide/sale-refunds.ts";
import type { Refund } from "../refunds.ts";

/** What `lock_sales` answers. */
export interface StoredSales {
  readonly sales: readonly StoredSale[] | null;
  readonly named: readonly { reference: string; receipt_id: string; amount: string }[] | null;
}

interface StoredSale {
  readonly receipt_id: string;
  readonly network: string;
  readonly amount: string;
  readonly given_back: string;
  readonly corrected: string;
  readonly never_landed: boolean;
  /** The key it bought; null for a call. */
  readonly key_id: string | null;
  readonly is_revoked: boolean;
  readonly balance: string;
}

type LockedSale = RefundedSale & { readonly key_id: string | null };
type NewSaleRefund = Pick<Refund, "id" | "receipt_id" | "amount" | "reference" | "reason">;

/** What the refunds of sales of a batch are decided by, locked in the database, as those decided so far leave it. */
export interface SaleRefundRows {
  sale(receipt_id: string): LockedSale | null;
  named(reference: string): NamedRefund | null;
  add(refund: NewSaleRefund): void;
  /** As `write_sale_refunds` takes them. */
  readonly added: readonly NewSaleRefund[];
}

/** @param stored undefined when no row was asked for. */
export function createSaleRefundRows(stored: StoredSales | undefined): SaleRefundRows {
  const sales = new Map((stored?.sales ?? []).map((sale) => [sale.receipt_id, readSale(sale)]));
  const named = new Map<string, NamedRefund>();
  for (const { reference, receipt_id, amount } of stored?.named ?? []) {
    named.set(reference, { receipt_id, amount: BigInt(amount) });
  }
  const added: NewSaleRefund[] = [];
  return {
    sale: (receipt_id) => sales.get(receipt_id) ?? null,
    named: (reference) => named.get(reference) ?? null,
    add(refund) {
      const { receipt_id, reference, amount } = refund;
      added.push(refund);
      named.set(reference, { receipt_id, amount });
      const sale = sales.get(receipt_id);
      if (sale !== undefined) sales.set(receipt_id, { ...sale, given_back: sale.given_back + amount });
    },
    added,
  };
}

const readSale = (stored: StoredSale): LockedSale => ({
  network: stored.network,
  amount: BigInt(stored.amount),
  given_back: BigInt(stored.given_back),
  corrected: BigInt(stored.corrected),
  never_landed: stored.never_landed,
  key: stored.key_id === null ? null : { is_revoked: stored.is_revoked, balance: BigInt(stored.balance) },
  key_id: stored.key_id,
});
