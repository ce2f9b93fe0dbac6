import { Database, SQLiteError } from "bun:sqlite";
import { existsSync } from "node:fs";
import { QUOTA_PERIODS, type QuotaPeriod } from "../catalog/provider.ts";
import type { QuotaStore, SpentQuota } from "../upstream/quotas.ts";

/** Older files get it too, and older versions of the node do not mind it. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS quotas (
    provider TEXT NOT NULL,
    period TEXT NOT NULL,
    starts_at_ms INTEGER NOT NULL,
    spent REAL NOT NULL,
    PRIMARY KEY (provider, period)
  ) STRICT, WITHOUT ROWID;
`;

const isPeriod = (text: string): text is QuotaPeriod => QUOTA_PERIODS.some((period) => period === text);

const SELECT = "SELECT provider, period, starts_at_ms, spent FROM quotas";

interface QuotaRow extends Omit<SpentQuota, "period"> {
  readonly period: string;
}

const toSpent = ({ period, ...row }: QuotaRow): SpentQuota[] => (isPeriod(period) ? [{ ...row, period }] : []);

/** What was spent by a node that may be running, without touching its file; nothing where there is no file. */
export function readSpentQuotas(file: string): QuotaStore {
  const read = (): readonly SpentQuota[] => {
    if (!existsSync(file)) return [];
    const db = new Database(file, { readonly: true });
    try {
      return db.query<QuotaRow, []>(SELECT).all().flatMap(toSpent);
    } catch (error) {
      // A file without such a table, or one that is no database: nothing is known to be spent.
      if (!(error instanceof SQLiteError)) throw error;
      return [];
    } finally {
      db.close();
    }
  };
  return { read, write: () => undefined };
}

/** What was spent of publishers' quotas: one row a provider and period, as of its newest call. */
export function createQuotaRows(db: Database): QuotaStore {
  db.run(SCHEMA);
  const select = db.query<QuotaRow, []>(SELECT);
  const upsert = db.query<unknown, [string, string, number, number]>(
    `INSERT INTO quotas (provider, period, starts_at_ms, spent) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET starts_at_ms = excluded.starts_at_ms, spent = excluded.spent`,
  );
  return {
    read: () => select.all().flatMap(toSpent),
    write: ({ provider, period, starts_at_ms, spent }) => {
      upsert.run(provider, period, starts_at_ms, spent);
    },
  };
}
