import type { Database } from "bun:sqlite";
import { NodeError } from "../core/errors.ts";
import { type Corrected, decideCorrection, type SaleState } from "./decide/corrections.ts";
import type { Promised } from "./promised.ts";
import type { Transfers } from "./transfers.ts";
import type { Writer } from "./writer.ts";

/** What the operator found that came in for a sale. */
export interface NewCorrection {
  readonly receipt_id: string;
  /** Atomic USDC; 0 is a payment that never landed. */
  readonly received: bigint;
  /** What names it on the operator's side: the same one is written once. */
  readonly reference: string;
  readonly reason: string;
}

export interface Correction extends NewCorrection {
  readonly at_ms: number;
  /** What the books took off the sale; below zero: put back. */
  readonly amount: bigint;
}

export interface CorrectionQueries {
  /** Of one sale, newest first. */
  correctionsOf(receipt_id: string): readonly Correction[];
  byReference(reference: string): Correction | null;
}

export interface CorrectionCommands {
  /**
   * Books the difference to what the books say: a transfer of its own, so that the sale and its receipt stay as they
   * are. The same reference again writes nothing.
   * @returns false when it was written before.
   * @throws NodeError not_found without such a receipt; invalid_parameter when the reference stands for another
   * correction, when the books say so already, when it is more than was booked, or when what was bought can be used.
   */
  correct(correction: NewCorrection): Promise<boolean>;
}

export type Corrections = CorrectionCommands & Promised<CorrectionQueries>;

/** As either engine gives it. */
export interface StoredCorrection extends NewCorrection {
  readonly id: bigint;
  readonly amount: bigint;
}

export const toCorrection = ({ id, ...row }: StoredCorrection): Correction => ({
  ...row,
  at_ms: Number(id / 1000n),
});

const SELECT = "SELECT id, receipt_id, amount, received, reference, reason FROM corrections";
/** `$n` are numbered in both engines. */
export const CORRECTION_SQL = {
  of_receipt: `${SELECT} WHERE receipt_id = $1 ORDER BY id DESC`,
  by_reference: `${SELECT} WHERE reference = $1`,
} as const;

export function createCorrectionQueries(db: Database): CorrectionQueries {
  const of_receipt = db.query<StoredCorrection, [string]>(CORRECTION_SQL.of_receipt.replaceAll("$", "?"));
  const by_reference = db.query<StoredCorrection, [string]>(CORRECTION_SQL.by_reference.replaceAll("$", "?"));
  return {
    correctionsOf: (receipt_id) => of_receipt.all(receipt_id).map(toCorrection),
    byReference(reference) {
      const row = by_reference.get(reference);
      return row && toCorrection(row);
    },
  };
}

const refuse = (message: string): NodeError => new NodeError("invalid_parameter", message);

const REFUSALS = {
  impossible:
    "No less than nothing and no more than was booked can have come in for a sale. " +
    'What came besides is explained with "books explain".',
  missing_already: "The chain does not have this payment, and every figure says so already. Nothing was written.",
  so_already: "The books say so already. Nothing was written.",
} as const;

/** What a sale is corrected by, as an engine reads it. */
export interface CorrectedSale extends Omit<SaleState, "is_key_in_use"> {
  /** The key it bought; null for a call. */
  readonly key_id: string | null;
  readonly is_key_revoked: boolean;
  /** What is still on that key's balance. */
  readonly balance: bigint;
}

interface CorrectionState {
  /** Null when there is no such receipt. */
  readonly sale: CorrectedSale | null;
  /** What the reference stands for already. */
  readonly known: Pick<Correction, "receipt_id" | "received"> | null;
}

/**
 * Decides a correction, and says why not.
 * @returns null when it was written before.
 * @throws NodeError as `correct` does.
 */
export function judgeCorrection(
  { receipt_id, received, reference }: NewCorrection,
  { sale, known }: CorrectionState,
): Corrected | null {
  if (sale === null) throw new NodeError("not_found", "No such receipt.");
  if (known !== null) {
    if (known.receipt_id === receipt_id && known.received === received) return null;
    throw refuse("This reference stands for another correction. Nothing was written.");
  }
  const { key_id, is_key_revoked, balance, ...state } = sale;
  const is_key_in_use = key_id !== null && (!is_key_revoked || balance > 0n);
  const decided = decideCorrection({ received, reference }, { ...state, is_key_in_use });
  if (decided.result === "key_in_use") {
    throw refuse(`This payment bought ${key_id}, which can still be used: "keys revoke" and "keys expire" first.`);
  }
  if (decided.result !== "corrected") throw refuse(REFUSALS[decided.result]);
  return decided;
}

interface SaleRow extends Omit<CorrectedSale, "is_key_revoked" | "balance"> {
  readonly revoked_at: bigint | null;
  readonly balance: bigint | null;
}

const readSale = ({ revoked_at, balance, ...sale }: SaleRow): CorrectedSale => ({
  ...sale,
  is_key_revoked: revoked_at !== null,
  balance: balance ?? 0n,
});

interface CorrectionParts {
  readonly db: Database;
  readonly writer: Writer;
  readonly transfers: Transfers;
  /** Strictly increasing ledger time, microseconds. */
  readonly tick: () => number;
}

export function createCorrectionCommands({ db, writer, transfers, tick }: CorrectionParts): CorrectionCommands {
  const { byReference } = createCorrectionQueries(db);
  const sql = prepareCommands(db);
  return {
    correct: (correction) =>
      writer.write(() => {
        const { receipt_id, received, reference, reason } = correction;
        const row = sql.facts.get(receipt_id);
        const sale = row && readSale(row);
        const decided = judgeCorrection(correction, { sale, known: byReference(reference) });
        if (decided === null) return false;
        const at = tick();
        for (const transfer of decided.transfers) transfers.post({ ...transfer, at });
        if (decided.confirms) sql.confirm.run(Math.floor(at / 1000), receipt_id);
        sql.insert.run(at, receipt_id, decided.amount, received, reference, reason);
        return true;
      }),
  };
}

const prepareCommands = (db: Database) => ({
  facts: db.query<SaleRow, [string]>(
    `SELECT r.network, r.amount, l.state AS on_chain, k.public_id AS key_id, k.revoked_at, a.posted AS balance,
       (SELECT coalesce(sum(c.amount), 0) FROM corrections c WHERE c.receipt_id = r.id) AS corrected
     FROM receipts r LEFT JOIN landings l ON l.receipt_id = r.id LEFT JOIN grants b ON b.payment_id = r.payment_id
       LEFT JOIN keys k ON k.id = b.key_id LEFT JOIN accounts a ON a.id = k.account
     WHERE r.id = +?`,
  ),
  // As it is written when the chain shows it: what it bought can be used again.
  confirm: db.query<null, [number, string]>(
    "UPDATE landings SET state = 'confirmed', checked_at = ?, due_at = NULL, doubted = 0 WHERE receipt_id = ?",
  ),
  insert: db.query<null, [number, string, bigint, bigint, string, string]>(
    "INSERT INTO corrections (id, receipt_id, amount, received, reference, reason) VALUES (?, ?, ?, ?, ?, ?)",
  ),
});
