import { countBankDays, type ISODate } from "intel-node";
import { type AgroRoot, expiryOf, parseContract } from "../b3/contracts.ts";
import type { Settlement } from "../b3/settlement.ts";

/** A farm future with its expiry. */
export interface AgroFuture extends Settlement {
  readonly root: AgroRoot;
  readonly expiry: ISODate;
  readonly year: number;
  readonly month: number;
}

/** A contract that expires sooner no longer measures its market. */
const FRONT_DU_MIN = 5;

/** The settled futures of a root, nearest first. */
export function listFutures(settlements: readonly Settlement[], root: AgroRoot): readonly AgroFuture[] {
  return settlements
    .flatMap((row): AgroFuture[] => {
      const contract = parseContract(row.symbol);
      if (contract?.root !== root) return [];
      return [{ ...row, root, expiry: expiryOf(contract), year: contract.year, month: contract.month }];
    })
    .sort((a, b) => (a.expiry < b.expiry ? -1 : 1));
}

/** The nearest one with at least 5 bank days left; null without one. */
export const findFront = (futures: readonly AgroFuture[], date: ISODate): AgroFuture | null =>
  futures.find(({ expiry }) => countBankDays(date, expiry) >= FRONT_DU_MIN) ?? null;
