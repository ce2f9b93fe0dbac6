/** Ledger time, ms; the end is not part of it. */
export interface IncomePeriod {
  readonly from_ms: number;
  readonly until_ms: number;
}

/** Money that came to an address of ours by one chain transaction, as the books have it. */
export interface IncomeRow {
  /** Its receipt; null for what payment channels brought. */
  readonly receipt_id: string | null;
  readonly network: string;
  readonly transaction: string;
  /** Atomic USDC. */
  readonly amount: bigint;
  /** Null for what payment channels brought: it was many buyers'. */
  readonly payer: string | null;
  /** The address it was paid to; null for channels, which pay to the one of now. */
  readonly pay_to: string | null;
  /** Ledger time, ms. */
  readonly booked_at_ms: number;
  /** The result of a look at the chain; null before the first look. */
  readonly on_chain: string | null;
}

/** `$from` and `$until`: microseconds. The ids of transfers and of moves are their times. */
export const INCOME = `SELECT r.id AS receipt_id, r.network, r.chain_transaction AS "transaction", r.amount, r.payer,
    r.pay_to, r.settled_at AS booked_at, l.state AS on_chain
  FROM receipts r LEFT JOIN landings l ON l.receipt_id = r.id
  WHERE r.transfer_id >= $from AND r.transfer_id < $until
  UNION ALL SELECT NULL, network, chain_transaction, amount, NULL, NULL, id, NULL
  FROM channel_moves WHERE kind = 'sweep' AND state = 'done' AND chain_transaction IS NOT NULL
    AND id >= $from AND id < $until`;

/** A row as either engine gives it. */
export type StoredIncome = Omit<IncomeRow, "booked_at_ms"> & { readonly booked_at: bigint };

export const toIncomeRow = ({ booked_at, ...row }: StoredIncome): IncomeRow => ({
  ...row,
  booked_at_ms: Number(booked_at / 1000n),
});
