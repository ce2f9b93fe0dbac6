import type { IncomeRow } from "../../ledger/list-income.ts";
import type { Network } from "../networks/table.ts";
import type { IncomeReader } from "./chain-reader.ts";
import { compareIncome, type IncomeComparison, idOf } from "./compare-income.ts";

/** A sale is booked within this time of its landing, whichever of the two clocks is ahead. */
const MARGIN_MS = 24 * 3_600_000;
/** What landed within the last minutes may not be booked, and what was booked may not be listed yet. */
export const SETTLING_MS = 10 * 60_000;

export interface ComparisonQuestion {
  readonly network: Network;
  readonly pay_to: string;
  readonly from_ms: number;
  readonly until_ms: number;
  readonly chain: IncomeReader;
  readonly readIncome: (period: { from_ms: number; until_ms: number }) => Promise<readonly IncomeRow[]>;
  /** What the operator explained, on any network. */
  readonly readExplained: () => Promise<readonly { readonly network: string; readonly transaction: string }[]>;
}

/**
 * Compares what came to a wallet in a period with the books, in both directions.
 * @throws Error when the chain cannot be listed, or the books cannot be read.
 */
export async function readComparison(question: ComparisonQuestion): Promise<IncomeComparison> {
  const { network, pay_to, from_ms, until_ms, chain, readIncome, readExplained } = question;
  const around = { from_ms: Math.max(0, from_ms - MARGIN_MS), until_ms: until_ms + MARGIN_MS };
  // The books first: what is booked meanwhile is on the chain already, and not the other way round.
  const booked = await readIncome(around);
  const known = new Set(booked.map(({ transaction }) => transaction));
  const own = (await readExplained()).filter((one) => one.network === network.id);
  const explained = new Set(own.map(({ transaction }) => idOf(transaction)));
  const isKnown = (transaction: string): boolean => known.has(transaction);
  const transfers = await chain.listIncoming({ network, pay_to, ...around, isKnown });
  return compareIncome({ network, pay_to, from_ms, until_ms, transfers, booked, explained });
}
