import type { CorrectedSale, NewCorrection } from "../corrections.ts";

/** What `lock_corrections` answers. */
export interface StoredCorrections {
  readonly sales: readonly StoredSale[] | null;
  readonly named: readonly { reference: string; receipt_id: string; received: string }[] | null;
}

interface StoredSale extends Omit<CorrectedSale, "amount" | "corrected" | "balance"> {
  readonly receipt_id: string;
  readonly amount: string;
  readonly corrected: string;
  readonly balance: string;
}

interface Added extends NewCorrection {
  readonly id: number;
  readonly amount: bigint;
  readonly confirms: boolean;
}
type Named = Pick<NewCorrection, "receipt_id" | "received">;

/** The rows that the corrections of a batch depend on, as those decided so far leave them. */
export interface CorrectionRows {
  sale(receipt_id: string): CorrectedSale | null;
  named(reference: string): Named | null;
  add(correction: Added): void;
  /** As `write_corrections` takes them. */
  readonly added: readonly Added[];
}

const readSale = ({ receipt_id: _id, amount, corrected, balance, ...sale }: StoredSale): CorrectedSale => ({
  ...sale,
  amount: BigInt(amount),
  corrected: BigInt(corrected),
  balance: BigInt(balance),
});

/** @param stored undefined when no row was asked for. */
export function createCorrectionRows(stored: StoredCorrections | undefined): CorrectionRows {
  const sales = new Map((stored?.sales ?? []).map((sale) => [sale.receipt_id, readSale(sale)]));
  const named = new Map<string, Named>();
  for (const { reference, receipt_id, received } of stored?.named ?? []) {
    named.set(reference, { receipt_id, received: BigInt(received) });
  }
  const added: Added[] = [];
  return {
    sale: (receipt_id) => sales.get(receipt_id) ?? null,
    named: (reference) => named.get(reference) ?? null,
    add(correction) {
      const { receipt_id, received, reference, amount, confirms } = correction;
      added.push(correction);
      named.set(reference, { receipt_id, received });
      const sale = sales.get(receipt_id);
      if (sale === undefined) return;
      const on_chain = confirms ? "confirmed" : sale.on_chain;
      sales.set(receipt_id, { ...sale, corrected: sale.corrected + amount, on_chain });
    },
    added,
  };
}
