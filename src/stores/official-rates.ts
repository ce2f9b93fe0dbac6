import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { OFFICIAL_RATES } from "../catalog/official-rates.ts";
import { quote } from "./table-sql.ts";

/** An official rate of a currency against the US dollar, as it was published. */
export interface OfficialRate {
  readonly kind: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly rate: string;
  readonly is_usd_per_unit: boolean;
  readonly source: string;
}

interface StoredRate extends Omit<OfficialRate, "is_usd_per_unit"> {
  readonly is_usd_per_unit: number;
  readonly simulated: number;
}

const RATE = /^\d{1,9}(\.\d{1,12})?$/;

/**
 * What plugins keep of a currency's official rates from one day to another, oldest first. Reads only: a node may go on
 * writing beside it.
 */
export function readOfficialRates(
  kept_file: string,
  { currency, from, to }: { readonly currency: string; readonly from: string; readonly to: string },
): readonly OfficialRate[] {
  if (!existsSync(kept_file)) return [];
  const db = new Database(kept_file, { readonly: true });
  try {
    const tables = db
      .query<{ name: string }, [string]>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE ?")
      .all(`%/${OFFICIAL_RATES}`);
    const rows = tables.flatMap(({ name }) =>
      db
        .query<StoredRate, [string, string, string]>(
          `SELECT kind, date, rate, is_usd_per_unit, source, simulated FROM ${quote(name)}
           WHERE currency = ? AND date >= ? AND date <= ?`,
        )
        .all(currency, from, to),
    );
    return rows
      .filter(({ rate }) => RATE.test(rate) && Number(rate) > 0)
      .map(({ is_usd_per_unit, simulated, source, ...row }) => ({
        ...row,
        is_usd_per_unit: is_usd_per_unit === 1,
        source: simulated === 1 ? `${source} (simulated)` : source,
      }))
      .sort((a, b) => (a.date < b.date ? -1 : 1));
  } finally {
    db.close();
  }
}
