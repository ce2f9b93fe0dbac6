import type { Database } from "bun:sqlite";
import type { KeptCall, StatementQueries } from "../statements.ts";
import { createStatementPages } from "./statement-pages.ts";

interface CallRow {
  id: bigint;
  key: string;
  product: string;
  access: "debit" | "pass";
  times: bigint;
  amount: bigint;
  refunded: bigint;
}

export function createStatementQueries(db: Database): StatementQueries {
  // Each call names the one before it: a statement walks back along them and needs no index.
  const calls = db.query<CallRow, { $key: number; $before: number | null; $limit: number }>(
    `WITH RECURSIVE chain (id) AS (
       SELECT iif($before IS NULL, (SELECT last_call FROM key_usage WHERE key_id = $key),
                  (SELECT previous FROM calls WHERE id = $before AND key_id = $key))
       UNION ALL
       SELECT c.previous FROM chain CROSS JOIN calls c WHERE c.id = chain.id AND c.previous > 0
     )
     SELECT c.id, k.public_id AS key, c.product, c.access, c.times, c.amount,
       EXISTS (SELECT 1 FROM transfers t WHERE t.kind = 'refund' AND t.reference = 'call:' || c.id) AS refunded
     FROM chain CROSS JOIN calls c ON c.id = chain.id CROSS JOIN keys k ON k.id = c.key_id LIMIT $limit`,
  );
  const grants = db.query<
    { at: bigint; plan: string; paid: bigint; credit: bigint; duration_ms: bigint | null; payment_id: string | null },
    [number]
  >("SELECT at, plan, paid, credit, duration_ms, payment_id FROM grants WHERE key_id = ? ORDER BY id");
  const granted = db.query<{ total: bigint }, [number]>(
    "SELECT coalesce(sum(credit), 0) AS total FROM grants WHERE key_id = ?",
  );
  const call = db.query<KeptCall, [number, number]>(
    `SELECT c.product, c.amount, a.body AS answer FROM calls c LEFT JOIN answers a ON a.id = c.answer_id
     WHERE c.id = ? AND c.key_id = ?`,
  );
  return {
    page: createStatementPages(db),
    calls: (key_id, { before, limit }) =>
      calls.all({ $key: key_id, $before: before ?? null, $limit: limit }).map(({ id, refunded, times, ...rest }) => ({
        ...rest,
        id: Number(id),
        times: Number(times),
        at_ms: Math.floor(Number(id) / 1000),
        refunded: refunded === 1n,
      })),
    grants: (key_id) =>
      grants.all(key_id).map(({ at, duration_ms, ...rest }) => ({
        ...rest,
        at_ms: Math.floor(Number(at) / 1000),
        duration_ms: duration_ms === null ? null : Number(duration_ms),
      })),
    granted: (key_id) => granted.get(key_id)?.total ?? 0n,
    call: (key_id, call_id) => call.get(call_id, key_id),
  };
}
