export interface AuditFinding {
  /** The invariant, such as "I1". */
  readonly rule: string;
  readonly message: string;
}

export interface AuditReport {
  readonly ok: boolean;
  readonly findings: readonly AuditFinding[];
  readonly accounts: readonly { readonly id: string; readonly posted: bigint; readonly pending: bigint }[];
  readonly payments: Readonly<Record<string, number>>;
  readonly receipts: number;
  readonly transfers: number;
  /** SHA-256 over "id network transaction amount" of every receipt in order; anybody can rebuild it from /receipts. */
  readonly receipts_digest: string;
}

export const FINDINGS_MAX = 100;

/** What the digest of the receipts is made of; to be followed by a condition and the order. */
export const RECEIPT_LINES = "SELECT seq, id, network, chain_transaction AS tx, amount FROM receipts";

export interface ReceiptLine {
  readonly id: string;
  readonly network: string;
  readonly tx: string;
  readonly amount: bigint;
}

export const renderReceiptLine = ({ id, network, tx, amount }: ReceiptLine): string =>
  `${id} ${network} ${tx} ${amount}\n`;
