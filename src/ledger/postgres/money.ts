import { hourOf } from "../landings.ts";
import {
  composeMoneyToDate,
  composeSums,
  MONEY_TO_DATE,
  type MoneyQueries,
  type MoneySummary,
  renderSums,
  type SumsRow,
  toUnlanded,
  UNLANDED,
  type UnlandedRow,
} from "../money.ts";
import type { Reader } from "./reader.ts";
import type { StatementOptions } from "./statements.ts";

async function readToDate({ all }: Reader): Promise<MoneySummary> {
  return composeMoneyToDate({
    totals: await all(MONEY_TO_DATE.totals),
    missing: await all(MONEY_TO_DATE.missing),
    balances: await all(MONEY_TO_DATE.balances),
    corrected: await all(MONEY_TO_DATE.corrected),
    plans_by_voucher: await all(MONEY_TO_DATE.plans_by_voucher),
    lost: await all(MONEY_TO_DATE.lost),
    prepaid: await all(MONEY_TO_DATE.prepaid),
  });
}

/** What the shop made so far, from a database. */
export const createMoneyQueries = ({ reader, inSnapshot }: StatementOptions): MoneyQueries => ({
  toDate: () => inSnapshot(readToDate),
  sums: async ({ from_ms, until_ms, by }) =>
    composeSums(by, await reader.all<SumsRow>(renderSums(by), [from_ms * 1000, until_ms * 1000])),
  listUnlanded: async (since_ms) => (await reader.all<UnlandedRow>(UNLANDED, [hourOf(since_ms)])).map(toUnlanded),
});
