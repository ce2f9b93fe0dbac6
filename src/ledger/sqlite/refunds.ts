import type { Database } from "bun:sqlite";
import { decideSaleRefund, type RefundedSale } from "../decide/sale-refunds.ts";
import {
  REFUND_SQL,
  type RefundCommands,
  type RefundQueries,
  readRefundOutcome,
  type StoredRefund,
  toRefund,
} from "../refunds.ts";
import type { Transfers } from "../transfers.ts";
import type { Writer } from "../writer.ts";

export function createRefundQueries(db: Database): RefundQueries {
  const of_receipt = db.query<StoredRefund, [string]>(REFUND_SQL.of_receipt.replaceAll("$", "?"));
  const by_reference = db.query<StoredRefund, [string]>(REFUND_SQL.by_reference.replaceAll("$", "?"));
  return {
    refundsOf: (receipt_id) => of_receipt.all(receipt_id).map(toRefund),
    byReference(reference) {
      const row = by_reference.get(reference);
      return row && toRefund(row);
    },
  };
}

/** What is known of a sale when some of it is to be given back. */
interface SaleFacts {
  readonly network: string;
  readonly amount: bigint;
  readonly given_back: bigint;
  /** The amount that corrections took off the booked one. */
  readonly corrected: bigint;
  readonly on_chain: string | null;
  /** The key it bought; null for a call. */
  readonly key_id: string | null;
  readonly revoked_at: bigint | null;
  /** What is still on that key's balance. */
  readonly balance: bigint | null;
}

const toSale = ({
  network,
  amount,
  given_back,
  corrected,
  on_chain,
  key_id,
  revoked_at,
  balance,
}: SaleFacts): RefundedSale => ({
  network,
  amount,
  given_back,
  corrected,
  never_landed: on_chain === "missing",
  key: key_id === null ? null : { is_revoked: revoked_at !== null, balance: balance ?? 0n },
});

interface RefundParts {
  readonly db: Database;
  readonly writer: Writer;
  readonly transfers: Transfers;
  /** Strictly increasing ledger time, microseconds. */
  readonly tick: () => number;
}

export function createRefundCommands({ db, writer, transfers, tick }: RefundParts): RefundCommands {
  const { byReference } = createRefundQueries(db);
  const facts = db.query<SaleFacts, [string]>(
    `SELECT r.network, r.amount, l.state AS on_chain, k.public_id AS key_id, k.revoked_at, a.posted AS balance,
       (SELECT coalesce(sum(g.amount), 0) FROM given_back g WHERE g.receipt_id = r.id) AS given_back,
       (SELECT coalesce(sum(c.amount), 0) FROM corrections c WHERE c.receipt_id = r.id) AS corrected
     FROM receipts r LEFT JOIN landings l ON l.receipt_id = r.id LEFT JOIN grants b ON b.payment_id = r.payment_id
       LEFT JOIN keys k ON k.id = b.key_id LEFT JOIN accounts a ON a.id = k.account
     WHERE r.id = +?`,
  );
  const insert = db.query<null, [number, string, bigint, string, string]>(
    "INSERT INTO given_back (id, receipt_id, amount, reference, reason) VALUES (?, ?, ?, ?, ?)",
  );
  return {
    giveBack: (refund) =>
      writer.write(() => {
        const { receipt_id, reference, reason } = refund;
        const sale = facts.get(receipt_id);
        const state = { sale: sale && toSale(sale), named: byReference(reference) };
        const decided = decideSaleRefund(refund, state);
        if (decided.result === "given_back") {
          const at = tick();
          for (const transfer of decided.transfers) transfers.post({ ...transfer, at });
          insert.run(at, receipt_id, decided.amount, reference, reason);
        }
        return readRefundOutcome({ result: decided.result, key_id: sale?.key_id ?? null });
      }),
  };
}
