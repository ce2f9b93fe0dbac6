import type { Database } from "bun:sqlite";
import { QUOTA_PERIODS, type QuotaPeriod } from "../catalog/provider.ts";
import type { QuotaStore, SpentQuota } from "./quotas.ts";

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

/** What was spent of publishers' quotas: one row a provider and period, as of its newest call. */
export function createQuotaRows(db: Database): QuotaStore {
  db.run(SCHEMA);
  const select = db.query<Record<"provider" | "period", string> & Record<"starts_at_ms" | "spent", number>, []>(
    "SELECT provider, period, starts_at_ms, spent FROM quotas",
  );
  const upsert = db.query<unknown, [string, string, number, number]>(
    `INSERT INTO quotas (provider, period, starts_at_ms, spent) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET starts_at_ms = excluded.starts_at_ms, spent = excluded.spent`,
  );
  return {
    read: () =>
      select.all().flatMap(({ period, ...row }): SpentQuota[] => (isPeriod(period) ? [{ ...row, period }] : [])),
    write: ({ provider, period, starts_at_ms, spent }) => {
      upsert.run(provider, period, starts_at_ms, spent);
    },
  };
}
