import type { Database } from "bun:sqlite";
import { fromRow, SELECT_PAYMENT, type StoredPayment } from "../payment-statements.ts";
import type { UpkeepCommands, UpkeepQueries } from "../payment-upkeep.ts";
import type { Writer } from "../writer.ts";

/** Rows that ended before money moved, whatever is sent: some hundred bytes each. */
const ENDED_MAX = 100_000;

/** Of one commit, so that buyers' writes get in between. */
const PRUNED_AT_ONCE = 1_000;

const ENDED = "state IN ('rejected', 'abandoned')";

const DIED = "min(valid_until, updated_at / 1000 + 3600000)";

interface UpkeepParts {
  readonly db: Database;
  readonly writer: Writer;
  readonly tick: () => number;
}

export function createUpkeepQueries(db: Database): UpkeepQueries {
  const unknown = db.query<StoredPayment, [number, number]>(
    `${SELECT_PAYMENT} WHERE p.state = 'unknown' AND p.created_at >= ? ORDER BY p.created_at LIMIT ?`,
  );
  return { listUnknown: (limit, from_ms = 0) => unknown.all(from_ms * 1000, limit).map(fromRow) };
}

export function createUpkeepCommands({ db, writer, tick }: UpkeepParts): UpkeepCommands {
  const count_ended = db.query<{ n: bigint }, []>(`SELECT count(*) AS n FROM payments WHERE ${ENDED}`);
  const dead = db.query<DeadRow, [number, number]>(
    `SELECT id, network, state FROM payments WHERE ${ENDED} AND ${DIED} < ? ORDER BY ${DIED} LIMIT ?`,
  );
  const remove = db.query("DELETE FROM payments WHERE id = ?");
  const count_pruned = db.query(
    `INSERT INTO pruned_payments (network, state, count) VALUES ($network, $state, 1)
     ON CONFLICT (network, state) DO UPDATE SET count = count + 1`,
  );
  const pruneSome = (before_ms: number, limit: number): Promise<number> =>
    writer.write(() => {
      const rows = dead.all(before_ms, limit);
      for (const { id, network, state } of rows) {
        remove.run(id);
        count_pruned.run({ $network: network, $state: state });
      }
      return rows.length;
    });
  async function prune(before_ms: number, count_max: number): Promise<number> {
    let pruned = 0;
    for (let some = 1; some > 0 && pruned < count_max; pruned += some) {
      some = await pruneSome(before_ms, Math.min(PRUNED_AT_ONCE, count_max - pruned));
    }
    return pruned;
  }

  return {
    async pruneEnded(before_ms) {
      const old = await prune(before_ms, Number.MAX_SAFE_INTEGER);
      const surplus = Number(count_ended.get()?.n ?? 0n) - ENDED_MAX;
      return surplus > 0 ? old + (await prune(Number.MAX_SAFE_INTEGER, surplus)) : old;
    },
    recover: () =>
      writer.write(() => {
        const abandoned = db.run(
          "UPDATE payments SET state = 'abandoned', reason = 'the node stopped before settling', updated_at = ? " +
            "WHERE state = 'received' OR state = 'verified' OR state = 'producing'",
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

interface DeadRow {
  id: string;
  network: string;
  state: string;
}
