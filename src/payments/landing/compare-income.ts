import { least } from "../../core/money.ts";
import type { IncomeRow } from "../../ledger/list-income.ts";
import { familyOf } from "../networks/families.ts";
import type { Network } from "../networks/table.ts";
import type { IncomingTransfer } from "../types.ts";

/** Money that came in by one chain transaction and is not, or not wholly, in the books. */
export interface UnbookedTransfer {
  readonly transaction: string;
  readonly from: string | null;
  /** What the books do not have of it, atomic USDC. */
  readonly amount: bigint;
  readonly at_ms: number;
}

/** What the wallet of one network and the books say of a period. Amounts are atomic USDC. */
export interface IncomeComparison {
  readonly network: string;
  readonly pay_to: string;
  readonly from_ms: number;
  readonly until_ms: number;
  /** Transactions in which something came in. */
  readonly transactions: number;
  /** Those that the books have as the chain has them. */
  readonly equal: number;
  readonly unbooked: readonly UnbookedTransfer[];
  /** Came, is in no book, and the operator said what it is. */
  readonly explained: readonly UnbookedTransfer[];
  /** Came, is in no book, and is too little to be a sale: anybody may send it. Atomic USDC. */
  readonly dust: { readonly count: number; readonly amount: bigint };
  /** Transactions that the books do not know and nobody looked into: too many, or unreadable. */
  readonly unopened: number;
  /** Booked, and not among what came in. */
  readonly not_on_chain: readonly IncomeRow[];
}

export interface IncomeToCompare {
  readonly network: Network;
  readonly pay_to: string;
  readonly from_ms: number;
  readonly until_ms: number;
  /** From some time before the period to some time after it, as `booked`: a sale is booked after it landed. */
  readonly transfers: readonly IncomingTransfer[];
  /** Of any network and address. */
  readonly booked: readonly IncomeRow[];
  /** Transactions that the operator explained. */
  readonly explained: ReadonlySet<string>;
}

/** Less than this is dust, unless so little was sold by this node. Atomic USDC: a tenth of a cent. */
const DUST_BELOW = 1_000n;

/** Ids of Ethereum's kind are the same in either case; those of other chains are not. */
export const idOf = (transaction: string): string =>
  transaction.startsWith("0x") ? transaction.toLowerCase() : transaction;

function sumBy<T>(rows: readonly T[], idOfRow: (row: T) => string, amountOf: (row: T) => bigint) {
  const sums = new Map<string, bigint>();
  for (const row of rows) sums.set(idOfRow(row), (sums.get(idOfRow(row)) ?? 0n) + amountOf(row));
  return sums;
}

/** Compares transaction by transaction: a facilitator may settle several payments by one. */
export function compareIncome(options: IncomeToCompare): IncomeComparison {
  const { network, pay_to, from_ms, until_ms, transfers } = options;
  const canonical = familyOf(network).canonicalAddress;
  const booked = options.booked.filter(
    (row) => row.network === network.id && (row.pay_to === null || canonical(row.pay_to) === canonical(pay_to)),
  );
  const booked_sums = sumBy(
    booked,
    ({ transaction }) => idOf(transaction),
    ({ amount }) => amount,
  );
  const on_chain = new Map<string, IncomingTransfer[]>();
  for (const one of transfers)
    on_chain.set(idOf(one.transaction), [...(on_chain.get(idOf(one.transaction)) ?? []), one]);
  const is_within = (ms: number): boolean => ms >= from_ms && ms < until_ms;

  const in_period = [...on_chain].filter(([, [first]]) => first !== undefined && is_within(first.at_ms));
  const smallest_sale = booked.reduce((smallest, { amount }) => least(smallest, amount), DUST_BELOW);
  const beside = in_period.flatMap(([transaction, rows]): UnbookedTransfer[] => {
    const known = booked_sums.get(transaction) ?? 0n;
    // What was not opened is in the books, and its amount is looked up by the landing check.
    const came = rows.reduce((sum, { amount }) => sum + (amount ?? known), 0n);
    const [first] = rows;
    if (came <= known || first === undefined) return [];
    return [{ transaction, from: first.from, amount: came - known, at_ms: first.at_ms }];
  });
  const isExplained = ({ transaction }: UnbookedTransfer): boolean => options.explained.has(idOf(transaction));
  // What came with a sale by one transaction may belong to it.
  const isDust = ({ amount, transaction }: UnbookedTransfer): boolean =>
    amount < smallest_sale && !booked_sums.has(idOf(transaction));
  const open = beside.filter((one) => !isExplained(one));
  const dust = open.filter(isDust);
  const unopened = in_period.filter(
    ([transaction, rows]) =>
      rows.some(({ amount }) => amount === null) &&
      !booked_sums.has(transaction) &&
      !options.explained.has(transaction),
  );
  return {
    network: network.id,
    pay_to,
    from_ms,
    until_ms,
    transactions: in_period.length,
    equal: in_period.length - beside.length - unopened.length,
    unbooked: open.filter((one) => !isDust(one)),
    explained: beside.filter(isExplained),
    dust: { count: dust.length, amount: dust.reduce((sum, { amount }) => sum + amount, 0n) },
    unopened: unopened.length,
    not_on_chain: booked.filter((row) => is_within(row.booked_at_ms) && !on_chain.has(idOf(row.transaction))),
  };
}
