import { messageOf } from "../../core/errors.ts";
import type { Command } from "./batch.ts";
import { type BookRows, createBookRows, type StoredRows } from "./book-rows.ts";
import { createWantedRows, renderWanted } from "./charge-rows.ts";
import { faultOf } from "./faults.ts";
import { renderArguments } from "./json.ts";
import { parseList, renderList } from "./lists.ts";
import type { Stored } from "./spending.ts";

/** One statement to the database. */
export interface SQLStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Sends statements over one connection, the next before the answer to the one before it. */
export type SendStatements = (
  statements: readonly SQLStatement[],
) => Promise<readonly (readonly { results?: unknown }[])[]>;

/** A batch, as its session counts it. */
export interface BatchNumber {
  readonly session: string;
  readonly batch: number;
  /** The lane of ledger time it books in. */
  readonly lane: number;
  readonly now_ms: number;
}

const LOCK = "SELECT lock_batch($1::text, $2::bigint, $3::bigint, $4::bigint, $5::text) AS results";
const WRITE = "SELECT write_batch($1::text, $2::bigint, $3::bigint, $4::text, $5::text) AS results";
const BEGIN: SQLStatement = { sql: "BEGIN", values: [] };
const COMMIT: SQLStatement = { sql: "COMMIT", values: [] };
const ROLLBACK: SQLStatement = { sql: "ROLLBACK", values: [] };

/**
 * Runs a batch of commands that are decided here: what they are decided by is locked and read, what they change is
 * written, in one transaction. Of a batch that was done before, it gives the results.
 *
 * The commit leaves together with what it commits. Were it sent when that was answered, a connection that broke between
 * the two would be opened again by the client, and there would say that it committed: nothing.
 * @returns null when the session is not there.
 * @throws NotDecided; what the database says. Nothing was written, unless an answer of the database was lost.
 */
export async function runDecided(
  send: SendStatements,
  commands: readonly Command[],
  { session, batch, lane, now_ms }: BatchNumber,
): Promise<string | null> {
  const wanted = createWantedRows();
  for (const { decided } of commands) decided?.want(wanted);
  const number = [session, batch, lane];
  const locked = await lockBatch(send, { sql: LOCK, values: [...number, now_ms, renderWanted(wanted)] });
  if (locked === null || "results" in locked) {
    await send([ROLLBACK]);
    return locked?.results ?? null;
  }
  const rows = createBookRows(locked, now_ms);
  const results = await decideAll(send, commands, rows);
  const write = { sql: WRITE, values: [...number, rows.renderChanges(), results] };
  // After an error of the first, the second rolls back.
  await send([write, COMMIT]);
  return results;
}

/** @returns null when the session is not there. */
async function lockBatch(send: SendStatements, lock: SQLStatement): Promise<Locked | null> {
  try {
    const [, rows] = await send([BEGIN, lock]);
    const text = rows?.[0]?.results;
    return typeof text === "string" ? (JSON.parse(text) as Locked) : null;
  } catch (error) {
    if (faultOf(error) !== "away") await send([ROLLBACK]);
    throw error;
  }
}

/** @returns the answers, as the session keeps them. */
async function decideAll(send: SendStatements, commands: readonly Command[], rows: BookRows): Promise<string> {
  try {
    // A flush has nothing to decide, and is answered with the others.
    return renderAnswers(commands.map(({ decided }) => (decided === null ? true : decided.decide(rows))));
  } catch (error) {
    await send([ROLLBACK]);
    throw new NotDecided(error);
  }
}

/** A command of the batch threw while it was decided: nothing was written. */
export class NotDecided extends Error {
  override readonly name = "NotDecided";
  constructor(override readonly cause: unknown) {
    super(messageOf(cause), { cause });
  }
}

/** What `lock_batch` answers: what was locked, or the results of a batch that was written before. */
type Locked = StoredRows | { readonly results: string };

/** Charged calls, as most batches have nothing but, are kept as lists. */
interface ChargedCalls {
  readonly calls: string;
  readonly left: string;
  readonly answers: string;
}

const isCharged = (answer: unknown): answer is Required<Stored> =>
  typeof answer === "object" && answer !== null && "ok" in answer && answer.ok === true && "call_id" in answer;

/** As the session keeps the answers to a batch. */
function renderAnswers(answers: readonly unknown[]): string {
  if (!answers.every(isCharged)) return renderArguments(answers);
  const charged: ChargedCalls = {
    calls: renderList(answers.map(({ call_id }) => call_id)),
    left: renderList(answers.map(({ available }) => available)),
    answers: renderList(answers.map(({ answer_id }) => answer_id)),
  };
  return JSON.stringify(charged);
}

/** The answer to each command of a batch. */
export function readAnswers(results: unknown): readonly unknown[] {
  if (Array.isArray(results)) return results;
  const { calls, left, answers } = results as ChargedCalls;
  const available = parseList(left);
  const answer_ids = parseList(answers);
  return parseList(calls).map(
    (call_id, n): Stored => ({
      ok: true,
      call_id: Number(call_id),
      available: available[n] ?? "",
      answer_id: Number(answer_ids[n]),
    }),
  );
}
