import { SIGNED_FOR } from "./receipts.ts";

/** One settled payment. */
export interface SaleRow {
  readonly receipt_id: string;
  /** Ledger time, ms. */
  readonly settled_at_ms: number;
  readonly product: string;
  readonly payer: string;
  readonly network: string;
  readonly transaction: string;
  /** Atomic USDC. */
  readonly amount: bigint;
  /** The most that the payer signed for, where he signed for at most an amount. */
  readonly authorized: bigint | null;
  readonly label: string;
  /** Whether the chain has it; null before the first look. */
  readonly on_chain: string | null;
}

/** `$from` and `$until`: microseconds. A transfer's id is its time. */
export const SALES = `SELECT r.id AS receipt_id, r.settled_at, r.product, r.payer, r.network,
    r.chain_transaction AS "transaction", r.amount, ${SIGNED_FOR},
    r.label, l.state AS on_chain
  FROM receipts r LEFT JOIN landings l ON l.receipt_id = r.id
  WHERE r.transfer_id >= $from AND r.transfer_id < $until ORDER BY r.seq`;

/** A sale as either engine gives it. */
export type StoredSale = Omit<SaleRow, "settled_at_ms"> & { readonly settled_at: bigint };

export const toSaleRow = ({ settled_at, ...row }: StoredSale): SaleRow => ({
  ...row,
  settled_at_ms: Number(settled_at / 1000n),
});

/** Money that was sent back by hand. */
export interface RefundRow {
  /** When it was written down, ms. */
  readonly at_ms: number;
  readonly receipt_id: string;
  readonly product: string;
  readonly payer: string;
  readonly network: string;
  readonly reference: string;
  /** Atomic USDC. */
  readonly amount: bigint;
  readonly label: string;
}

export const REFUNDS = `SELECT g.id, g.receipt_id, r.product, r.payer, r.network, g.reference, g.amount, r.label
  FROM given_back g JOIN receipts r ON r.id = g.receipt_id WHERE g.id >= $from AND g.id < $until ORDER BY g.id`;

/** A refund as either engine gives it. */
export type StoredRefundRow = Omit<RefundRow, "at_ms"> & { readonly id: bigint };

export const toRefundRow = ({ id, ...row }: StoredRefundRow): RefundRow => ({ ...row, at_ms: Number(id / 1000n) });

/** What the operator found that came in for a sale, where it is other than the chain said. */
export interface CorrectionRow extends RefundRow {
  /** What was taken off the sale; below zero: put back. Atomic USDC. */
  readonly amount: bigint;
}

/** A payment that the chain does not have is taken off the sale itself. */
export const CORRECTIONS = `SELECT c.id, c.receipt_id, r.product, r.payer, r.network, c.reference, c.amount, r.label
  FROM corrections c JOIN receipts r ON r.id = c.receipt_id LEFT JOIN landings l ON l.receipt_id = r.id
  WHERE coalesce(l.state, '') <> 'missing' AND c.amount <> 0 AND c.id >= $from AND c.id < $until ORDER BY c.id`;
