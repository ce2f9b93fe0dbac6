import type { Database } from "bun:sqlite";
import type { PaymentRow } from "./payment-row.ts";
import { fromRow, type Row, SELECT_PAYMENT } from "./payment-statements.ts";

import type { Writer } from "./writer.ts";

/** What jobs and the start do with payments. */
export interface Upkeep {
  /** Oldest first, from a time on (ms). */
  listUnknown(limit: number, from_ms?: number): readonly PaymentRow[];
  /** After a start: in-flight rows become `abandoned`, `settling` rows `unknown`. Returns how many of each. */
  recover(): Promise<{ abandoned: number; unknown: number }>;
  /** Drops stored answers older than this; the payment itself stays, so it can never be used again. */
  pruneAnswers(before_ms: number): Promise<number>;
}

interface UpkeepParts {
  readonly db: Database;
  readonly writer: Writer;
  readonly tick: () => number;
}

export function createUpkeep({ db, writer, tick }: UpkeepParts): Upkeep {
  const unknown = db.query<Row, [number, number]>(
    `${SELECT_PAYMENT} WHERE p.state = 'unknown' AND p.created_at >= ? ORDER BY p.created_at LIMIT ?`,
  );
  return {
    listUnknown: (limit, from_ms = 0) => unknown.all(from_ms * 1000, limit).map(fromRow),
    recover: () =>
      writer.write(() => {
        const abandoned = db.run(
          "UPDATE payments SET state = 'abandoned', reason = 'the node stopped before settling', updated_at = ? " +
            "WHERE state IN ('received', 'verified', 'producing')",
          [tick()],
        );
        const settling = db.run(
          "UPDATE payments SET state = 'unknown', reason = 'the node stopped while settling', updated_at = ? " +
            "WHERE state = 'settling'",
          [tick()],
        );
        return { abandoned: abandoned.changes, unknown: settling.changes };
      }),
    pruneAnswers: (before_ms) =>
      writer.write(() => {
        const pruned = db.run(
          "UPDATE payments SET answer = NULL WHERE answer IS NOT NULL AND created_at < ?1 " +
            "AND updated_at < ?1 AND state NOT IN ('settling', 'unknown')",
          [before_ms * 1000],
        );
        return pruned.changes;
      }),
  };
}
