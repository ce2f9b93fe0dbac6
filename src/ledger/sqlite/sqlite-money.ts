import type { Database } from "bun:sqlite";
import { hourOf } from "../landings.ts";
import {
  composeMoneyToDate,
  composeSums,
  MONEY_TO_DATE,
  type MoneyQueries,
  type MoneyToDateRows,
  renderSums,
  type SumsRow,
  toUnlanded,
  UNLANDED,
  type UnlandedRow,
} from "../money.ts";
import { toSqlite } from "../stories.ts";

/** What the shop made so far, from an open SQLite file. Reads only, and one snapshot. */
export function createSqliteMoney(db: Database): MoneyQueries {
  const ask = <K extends keyof MoneyToDateRows>(name: K): MoneyToDateRows[K] =>
    db.query(MONEY_TO_DATE[name]).all() as unknown as MoneyToDateRows[K];
  const read = db.transaction(() =>
    composeMoneyToDate({
      totals: ask("totals"),
      missing: ask("missing"),
      balances: ask("balances"),
      corrected: ask("corrected"),
      plans_by_voucher: ask("plans_by_voucher"),
      lost: ask("lost"),
      prepaid: ask("prepaid"),
    }),
  );
  const unlanded = db.query<UnlandedRow, [number]>(toSqlite(UNLANDED));
  return {
    toDate: async () => read(),
    async sums({ from_ms, until_ms, by }) {
      const sql = toSqlite(renderSums(by));
      return composeSums(by, db.query<SumsRow, [number, number]>(sql).all(from_ms * 1000, until_ms * 1000));
    },
    listUnlanded: async (since_ms) => unlanded.all(hourOf(since_ms)).map(toUnlanded),
  };
}
