import { countBankDays, type Unusable, unusable } from "intel-node";
import { type Day, expiryOf, parseContract } from "./contracts.ts";

/** The settlement of a future on one day. */
export interface Settlement {
  readonly symbol: string;
  /** PU of a rate future, price of the others, in the contract's unit. */
  readonly settle: number;
  /** Percent a year; null for futures other than rates. */
  readonly rate: number | null;
  /** Contracts traded; null where the file does not say. */
  readonly contracts: number | null;
  /** Contracts open; null where the file does not say. */
  readonly open_interest: number | null;
}

/** What B3's file of one day holds of futures, judged. */
export interface JudgedSettlements {
  readonly settlements: readonly Settlement[];
  /** Symbols of rows whose rate and PU contradict each other. */
  readonly dropped: readonly string[];
}

/** PU and rate are printed with 2 and 3 decimals, and B3 computes the one from the other. */
const PU_TOLERANCE = 0.02;
const DROPPED_SHARE_MAX = 0.2;
const DI1_MIN = 8;

/** Whether rate and PU of a rate future say the same: PU = 100,000 / (1 + r)^(du/252), by B3's specification of DI1. */
function isConsistent({ symbol, settle, rate }: Settlement, { date, extra }: Day): boolean {
  const contract = parseContract(symbol);
  if (!contract) return false;
  if (rate === null) return settle > 0;
  const du = countBankDays(date, expiryOf(contract, extra), extra);
  return Math.abs(100_000 / (1 + rate / 100) ** (du / 252) - settle) <= PU_TOLERANCE;
}

/**
 * Keeps what can be true. Duplicates: the one with more contracts open or traded. Expired contracts are left out.
 * @returns the reason to refuse the whole file where too little of it can be: decimals that were swapped, another day.
 */
export function judgeSettlements(rows: readonly Settlement[], day: Day): JudgedSettlements | Unusable {
  const weightOf = (row: Settlement): number => row.open_interest ?? row.contracts ?? 0;
  const best = new Map<string, Settlement>();
  for (const row of rows) {
    const contract = parseContract(row.symbol);
    if (!contract || expiryOf(contract, day.extra) <= day.date) continue;
    const known = best.get(row.symbol);
    if (!known || weightOf(row) > weightOf(known)) best.set(row.symbol, row);
  }
  const all = [...best.values()];
  const settlements = all.filter((row) => isConsistent(row, day)).sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const rates = all.filter(({ symbol }) => /^(DI1|DAP)/.test(symbol));
  const dropped = all.filter((row) => !isConsistent(row, day)).map(({ symbol }) => symbol);
  const dropped_rates = dropped.filter((symbol) => /^(DI1|DAP)/.test(symbol)).length;
  if (dropped_rates > DROPPED_SHARE_MAX * rates.length) {
    return unusable(`rate and PU contradict each other in ${dropped_rates} of ${rates.length} rate futures`);
  }
  const di1 = settlements.filter(({ symbol }) => symbol.startsWith("DI1")).length;
  return di1 < DI1_MIN ? unusable(`only ${di1} DI1 futures are settled`) : { settlements, dropped };
}
