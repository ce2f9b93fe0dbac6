import type { Database } from "bun:sqlite";
import { assertInvariant } from "../core/errors.ts";

export type TransferKind = "sale" | "plan" | "bonus" | "debit" | "correction";
export type AccountKind = "chain" | "revenue" | "credit" | "promotion";

export interface NewTransfer {
  readonly kind: TransferKind;
  /** What it belongs to, such as a payment id. */
  readonly reference: string;
  readonly from: { readonly id: string; readonly kind: AccountKind };
  readonly to: { readonly id: string; readonly kind: AccountKind };
  /** Atomic USDC, above 0. */
  readonly amount: bigint;
  /** Ledger time, microseconds. */
  readonly at: number;
}

/** Money that came in through a network; its posted balance is minus what the network has paid us in all. */
export const chainAccount = (network: string) => ({ id: `chain:${network}`, kind: "chain" as const });
export const SALES_ACCOUNT = { id: "revenue:sales", kind: "revenue" as const };

/**
 * Moves money between two accounts. Must run inside a db transaction.
 * @returns the transfer's id.
 * @throws InvariantError when the amount is not positive or a cached balance would not follow.
 */
export function createTransfers(db: Database): { post(transfer: NewTransfer): number } {
  const open = db.query(
    "INSERT INTO accounts (id, kind, created_at) VALUES ($id, $kind, $at) ON CONFLICT (id) DO NOTHING",
  );
  const insert = db.query("INSERT INTO transfers (kind, reference, at) VALUES ($kind, $reference, $at) RETURNING id");
  const posting = db.query(
    "INSERT INTO postings (transfer_id, account_id, amount) VALUES ($transfer, $account, $amount)",
  );
  const balance = db.query("UPDATE accounts SET posted = posted + $amount WHERE id = $account AND kind = $kind");

  return {
    post({ kind, reference, from, to, amount, at }) {
      assertInvariant(amount > 0n, "I1: a transfer moves a positive amount");
      assertInvariant(from.id !== to.id, "I1: a transfer has two accounts");
      const { id } = insert.get({ $kind: kind, $reference: reference, $at: at }) as { id: bigint };
      for (const [account, signed] of [
        [from, -amount],
        [to, amount],
      ] as const) {
        open.run({ $id: account.id, $kind: account.kind, $at: at });
        posting.run({ $transfer: id, $account: account.id, $amount: signed });
        const { changes } = balance.run({ $amount: signed, $account: account.id, $kind: account.kind });
        assertInvariant(changes === 1, `I2: account ${account.id} is not a ${account.kind} account`);
      }
      return Number(id);
    },
  };
}
