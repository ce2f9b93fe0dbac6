import type { Database } from "bun:sqlite";
import type { Promised } from "./promised.ts";
import { createStatementPages, type StatementOf, type StatementPage } from "./statement-pages.ts";

/** A call of a key. Times in ms. */
export interface CallLine {
  readonly id: number;
  readonly at_ms: number;
  readonly key: string;
  readonly product: string;
  readonly access: "debit" | "pass";
  /** Calls this line stands for: those of a pass are added up by the minute. */
  readonly times: number;
  readonly amount: bigint;
  /** Given back since. */
  readonly refunded: boolean;
}

export interface GrantLine {
  readonly at_ms: number;
  readonly plan: string;
  readonly paid: bigint;
  readonly credit: bigint;
  readonly duration_ms: number | null;
  readonly payment_id: string | null;
}

export interface KeptCall {
  readonly product: string;
  readonly amount: bigint;
  /** Null when it was dropped after the replay window. */
  readonly answer: string | null;
}

/** What a key was given and what it was used for. Reads only. */
export interface StatementQueries {
  /**
   * What moved a balance, newest first: grants, debits, calls given back, what expired; also calls of a pass, which
   * move nothing. `opening` plus the changes of the lines is `closing`; the oldest page opens with 0, the newest one
   * closes with the posted balance. What a running call holds is no line until it is debited.
   * For a child key: its own calls alone, so that the newest page closes with minus what it spent.
   */
  page(of: StatementOf, page: { before?: number | undefined; limit: number }): StatementPage;
  /** Calls of a key, newest first, older than a call id. */
  calls(key_id: number, page: { before?: number | undefined; limit: number }): readonly CallLine[];
  grants(key_id: number): readonly GrantLine[];
  /** Credit granted in all. */
  granted(key_id: number): bigint;
  /** One call of this key with its stored answer, or null. */
  call(key_id: number, call_id: number): KeptCall | null;
}

export type Statements = Promised<StatementQueries>;

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
