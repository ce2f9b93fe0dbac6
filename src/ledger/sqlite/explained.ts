import type { Database } from "bun:sqlite";
import {
  EXPLAINED_SQL,
  type ExplainedCommands,
  type ExplainedQueries,
  type StoredExplanation,
  toExplained,
} from "../explained.ts";
import type { Writer } from "../writer.ts";

export function createExplainedQueries(db: Database): ExplainedQueries {
  const newest = db.query<StoredExplanation, [number]>(EXPLAINED_SQL.list.replaceAll("$", "?"));
  const one = db.query<StoredExplanation, [string, string]>(EXPLAINED_SQL.one.replaceAll("$", "?"));
  return {
    list: (limit) => newest.all(limit).map(toExplained),
    get(network, transaction) {
      const row = one.get(network, transaction);
      return row && toExplained(row);
    },
  };
}

interface ExplainedParts {
  readonly db: Database;
  readonly writer: Writer;
  /** Strictly increasing ledger time, microseconds. */
  readonly tick: () => number;
}

export function createExplainedCommands({ db, writer, tick }: ExplainedParts): ExplainedCommands {
  const insert = db.query<null, [string, string, string, string, number]>(
    `INSERT INTO explained_transfers (network, chain_transaction, reference, reason, at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  return {
    explain: ({ network, transaction, reference, reason }) =>
      writer.write(() => insert.run(network, transaction, reference, reason, tick()).changes === 1),
  };
}
