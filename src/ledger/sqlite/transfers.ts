import type { Database } from "bun:sqlite";
import { assertInvariant } from "../../core/errors.ts";
import type { Account, AccountKind, NewTransfer, TransferKind, Transfers } from "../transfers.ts";

export function createTransfers(db: Database): Transfers {
  const open_account = db.query(
    "INSERT INTO accounts (id, kind, created_at) VALUES ($id, $kind, $at) ON CONFLICT (id) DO NOTHING",
  );
  const insert = db.query<null, [number, TransferKind, string, string, string, bigint]>(
    "INSERT INTO transfers (id, kind, reference, source, target, amount) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const balance = db.query<null, [bigint, string, AccountKind]>(
    "UPDATE accounts SET posted = posted + ? WHERE id = ? AND kind = ?",
  );
  const open = ({ id, kind }: Account, at: number) => void open_account.run({ $id: id, $kind: kind, $at: at });

  /** Nearly every transfer finds its accounts there: they are opened only when the balance does not follow. */
  const move = ({ account, amount, at }: { account: Account; amount: bigint; at: number }) => {
    const { id, kind } = account;
    if (balance.run(amount, id, kind).changes === 1) return;
    open(account, at);
    assertInvariant(balance.run(amount, id, kind).changes === 1, `I2: account ${id} is not a ${kind} account`);
  };

  const assertWhole = ({ from, to, amount }: NewTransfer) => {
    assertInvariant(amount > 0n, "I1: a transfer moves a positive amount");
    assertInvariant(from.id !== to.id, "I1: a transfer has two accounts");
  };
  const write = ({ at, kind, reference, from, to, amount }: NewTransfer) =>
    insert.run(at, kind, reference, from.id, to.id, amount);

  return {
    open,
    post(transfer) {
      assertWhole(transfer);
      const { from, to, amount, at } = transfer;
      move({ account: from, amount: -amount, at });
      move({ account: to, amount, at });
      write(transfer);
      return at;
    },
    postAll(transfers) {
      const moves = new Map<string, { readonly account: Account; amount: bigint; readonly at: number }>();
      const add = (account: Account, amount: bigint, at: number) => {
        const known = moves.get(account.id);
        if (known === undefined) moves.set(account.id, { account, amount, at });
        else {
          assertInvariant(known.account.kind === account.kind, `I2: account ${account.id} is of one kind`);
          known.amount += amount;
        }
      };
      for (const transfer of transfers) {
        assertWhole(transfer);
        add(transfer.from, -transfer.amount, transfer.at);
        add(transfer.to, transfer.amount, transfer.at);
      }
      for (const moved of moves.values()) move(moved);
      for (const transfer of transfers) write(transfer);
    },
  };
}
