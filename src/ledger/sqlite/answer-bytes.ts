import type { Database } from "bun:sqlite";
import { sha256Hex } from "../../core/hash.ts";
import { createLRU } from "../../core/lru.ts";

const BODIES_MAX = 2_000;
/** A kept answer is written again when it is used this long after: pruning goes by its first time. */
const ANSWER_REUSE_US = 3_600_000_000;

/** Keeps the bytes of answers: most calls of a cached product share one string, and so one row. */
export function createAnswerBytes(db: Database): (body: string, at: number) => number {
  const bodies = createLRU<number>(BODIES_MAX);
  const has_answer = db.query<{ id: bigint }, [number]>("SELECT id FROM answers WHERE id = ?");
  const insert = db.query("INSERT INTO answers (id, body, sha256) VALUES ($id, $body, $sha256)");
  return (body, at) => {
    const kept = bodies.get(body);
    if (kept !== undefined && at - kept < ANSWER_REUSE_US && has_answer.get(kept)) return kept;
    insert.run({ $id: at, $body: body, $sha256: sha256Hex(body) });
    bodies.set(body, at);
    return at;
  };
}
