import { hourOf } from "../landings.ts";
import {
  composeMoneyToDate,
  MONEY_TO_DATE,
  type MoneyQueries,
  type MoneySummary,
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
    lost: await all(MONEY_TO_DATE.lost),
    prepaid: await all(MONEY_TO_DATE.prepaid),
  });
}

/** What the shop made so far, from a database. */
export const createMoneyQueries = ({ reader, inSnapshot }: StatementOptions): MoneyQueries => ({
  toDate: () => inSnapshot(readToDate),
  listUnlanded: async (since_ms) => (await reader.all<UnlandedRow>(UNLANDED, [hourOf(since_ms)])).map(toUnlanded),
});
