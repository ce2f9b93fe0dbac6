import type { Database } from "bun:sqlite";
import { INCOME, type IncomePeriod, type IncomeRow, type StoredIncome, toIncomeRow } from "../list-income.ts";

/** What came in through networks in a period. Reads only: a node may go on writing beside it. */
export function listIncome(db: Database, { from_ms, until_ms }: IncomePeriod): readonly IncomeRow[] {
  const values = { $from: from_ms * 1000, $until: until_ms * 1000 };
  return db.query<StoredIncome, typeof values>(INCOME).all(values).map(toIncomeRow);
}
