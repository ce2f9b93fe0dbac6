import { Database, SQLiteError } from "bun:sqlite";
import { existsSync } from "node:fs";
import type { SpentOnModel, SpentStore } from "../models/budget.ts";

/** Older files get it too, and older versions of the node do not mind it. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS model_costs (
    day TEXT NOT NULL,
    what TEXT NOT NULL,
    model TEXT NOT NULL,
    cost INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    PRIMARY KEY (day, what, model)
  ) STRICT, WITHOUT ROWID;
`;
const SELECT = "SELECT day, what, model, cost, calls, prompt_tokens, completion_tokens FROM model_costs WHERE day = ?";

/** What models cost, a row for each day, product and model; in kept.db, so that a budget survives restarts. */
export function createModelRows(db: Database): SpentStore {
  db.run(SCHEMA);
  const select = db.query<SpentOnModel, [string]>(SELECT);
  const upsert = db.query<unknown, [string, string, string, number, number, number, number]>(
    `INSERT INTO model_costs (day, what, model, cost, calls, prompt_tokens, completion_tokens)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET cost = excluded.cost, calls = excluded.calls,
       prompt_tokens = excluded.prompt_tokens, completion_tokens = excluded.completion_tokens`,
  );
  return {
    read: (day) => select.all(day),
    write: ({ day, what, model, cost, calls, prompt_tokens, completion_tokens }) => {
      upsert.run(day, what, model, cost, calls, prompt_tokens, completion_tokens);
    },
  };
}

/** What a node that may be running has spent, without touching its file; nothing where there is no file. */
export function readModelCosts(file: string, day: string): readonly SpentOnModel[] {
  if (!existsSync(file)) return [];
  const db = new Database(file, { readonly: true });
  try {
    return db.query<SpentOnModel, [string]>(SELECT).all(day);
  } catch (error) {
    // A file without such a table, or one that is no database: nothing is known to be spent.
    if (!(error instanceof SQLiteError)) throw error;
    return [];
  } finally {
    db.close();
  }
}
