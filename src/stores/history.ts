import type { Database } from "bun:sqlite";
import type { Observation, WritableHistory } from "../catalog/context.ts";
import { canonicalJSON } from "../core/hash.ts";

const OBSERVATIONS_MAX = 100_000;
const VALUE_CHARS_MAX = 1_000_000;

export const SERIES_SCHEMA = `CREATE TABLE series (
    series TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (series, at_ms)
  ) STRICT, WITHOUT ROWID;`;

/** @throws RangeError */
export const assertTime = (name: string, value: number): void => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${name} is not a whole number of milliseconds`);
};

/** JSON text of an observation. @throws TypeError or Error on what has no such text, NaN included. */
function renderValue(value: unknown): string {
  const text = JSON.stringify(value);
  // NaN would be stored as null; canonicalJSON refuses it, and is too slow for a window of bars, which has no null.
  return text === undefined || text.includes("null") ? canonicalJSON(value) : text;
}

/** The observed series of one open file. */
export function createHistory(db: Database): WritableHistory {
  const select = db.query<{ at_ms: number; value: string }, [string, number, number, number]>(
    "SELECT at_ms, value FROM series WHERE series = ? AND at_ms BETWEEN ? AND ? ORDER BY at_ms DESC LIMIT ?",
  );
  const insert = db.query<unknown, [string, number, string]>(
    "INSERT INTO series (series, at_ms, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
  );
  const remove = db.query<unknown, [string, number]>("DELETE FROM series WHERE series = ? AND at_ms < ?");
  const insertAll = db.transaction((series: string, rows: readonly (readonly [number, string])[]) => {
    for (const [at_ms, value] of rows) insert.run(series, at_ms, value);
  });
  return {
    async read(series, { since_ms = 0, until_ms = Number.MAX_SAFE_INTEGER, limit = OBSERVATIONS_MAX } = {}) {
      const rows = select.all(
        series,
        Math.ceil(since_ms),
        Math.floor(until_ms),
        Math.min(OBSERVATIONS_MAX, Math.max(0, Math.floor(limit))),
      );
      return rows.reverse().map(({ at_ms, value }): Observation => ({ at_ms, value: JSON.parse(value) }));
    },
    async write(series, observations) {
      const rows = observations.map(({ at_ms, value }) => {
        assertTime("at_ms", at_ms);
        const text = renderValue(value);
        if (text.length > VALUE_CHARS_MAX) throw new RangeError(`an observation has ${text.length} characters`);
        return [at_ms, text] as const;
      });
      insertAll.immediate(series, rows);
    },
    prune: async (series, before_ms) => {
      remove.run(series, Math.ceil(before_ms));
    },
  };
}
