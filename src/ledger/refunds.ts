import type { Database } from "bun:sqlite";
import { NodeError } from "../core/errors.ts";
import type { ResultOf } from "./decide/results.ts";
import { decideSaleRefund, type RefundedSale, type SaleRefund } from "./decide/sale-refunds.ts";
import type { Promised } from "./promised.ts";
import type { Transfers } from "./transfers.ts";
import type { Writer } from "./writer.ts";

export interface NewRefund extends SaleRefund {
  readonly reason: string;
}

export interface Refund {
  /** The transfer's: ledger time, microseconds. */
  readonly id: number;
  readonly at_ms: number;
  readonly receipt_id: string;
  readonly amount: bigint;
  readonly reference: string;
  readonly reason: string;
}

export interface RefundQueries {
  /** Of one sale, newest first. */
  refundsOf(receipt_id: string): readonly Refund[];
  byReference(reference: string): Refund | null;
}

export interface RefundCommands {
  /**
   * Books what was sent back: a transfer of its own, from revenue to the network, so that the sale and its receipt stay
   * as they are. The same reference again writes nothing.
   * @returns false when it was written before.
   * @throws NodeError not_found without such a receipt; invalid_parameter when the reference stands for another refund,
   * when the payment never landed, when what it bought can still be used, or when it is more than is left.
   */
  giveBack(refund: NewRefund): Promise<boolean>;
}

export type Refunds = RefundCommands & Promised<RefundQueries>;

/** As either engine gives it. */
export interface StoredRefund {
  readonly id: bigint;
  readonly receipt_id: string;
  readonly amount: bigint;
  readonly reference: string;
  readonly reason: string;
}

export const toRefund = ({ id, ...row }: StoredRefund): Refund => ({
  ...row,
  id: Number(id),
  at_ms: Math.floor(Number(id) / 1000),
});

const SELECT = "SELECT id, receipt_id, amount, reference, reason FROM given_back";
/** `$n` are numbered in both engines. */
export const REFUND_SQL = {
  of_receipt: `${SELECT} WHERE receipt_id = $1 ORDER BY id DESC`,
  by_reference: `${SELECT} WHERE reference = $1`,
} as const;

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

/** What a refund came to. */
export interface RefundOutcome {
  readonly result: ResultOf<"sale_refund">;
  /** The key that the sale bought; null for a call. */
  readonly key_id: string | null;
}

/**
 * What its caller is told.
 * @returns whether it was written now.
 * @throws NodeError when it cannot be written.
 */
export function readRefundOutcome({ result, key_id }: RefundOutcome): boolean {
  switch (result) {
    case "given_back":
      return true;
    case "given_back_before":
      return false;
    case "no_sale":
      throw new NodeError("not_found", "No such receipt.");
    case "reference_taken":
      throw refuse("This reference stands for another refund. Nothing was written.");
    case "never_landed":
      throw refuse("This payment never landed: nothing came in that could be given back.");
    case "key_in_use":
      throw refuse(`This payment bought ${key_id}, which can still be used: "keys revoke" and "keys expire" first.`);
    case "more_than_left":
      throw refuse("More than was paid, less what was given back, cannot be given back.");
  }
}

const refuse = (message: string): NodeError => new NodeError("invalid_parameter", message);

/** What is known of a sale when some of it is to be given back. */
interface SaleFacts {
  readonly network: string;
  readonly amount: bigint;
  readonly given_back: bigint;
  /** What corrections took off what was booked. */
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
