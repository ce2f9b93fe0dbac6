import type { Database } from "bun:sqlite";
import {
  CORRECTION_SQL,
  type CorrectedSale,
  type CorrectionCommands,
  type CorrectionQueries,
  judgeCorrection,
  type StoredCorrection,
  toCorrection,
} from "../corrections.ts";
import type { Transfers } from "../transfers.ts";
import type { Writer } from "../writer.ts";

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
