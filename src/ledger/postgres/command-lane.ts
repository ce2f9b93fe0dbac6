import type { SQL } from "bun";
import { type Clock, sleep, systemTimers } from "../../core/clock.ts";
import { ERRORS, type ErrorCode, InvariantError, messageOf, NodeError } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import { stopped, unproven, unwritable } from "../writer.ts";
import { arrangeBatch, type Command, FLUSH, takeBatch } from "./batch.ts";
import { chance } from "./chance.ts";
import {
  type BatchNumber,
  NotDecided,
  readAnswers,
  runDecided,
  type SendStatements,
  type SQLStatement,
} from "./decided-batch.ts";
import type { DecidedCommand } from "./decided-command.ts";
import { detailOf, faultOf, renderFault, sqlStateOf } from "./faults.ts";

/** The database refused a command: the command's own kind decides what that means. */
export class CommandRefused extends Error {
  override readonly name = "CommandRefused";
  constructor(
    message: string,
    readonly state: string,
    cause: unknown,
  ) {
    super(message, { cause });
  }
}

/** Where in its batch a command goes; by default before all that lock a balance. */
export type BatchPlace = Partial<Pick<Command, "order">>;

/** One connection that gives commands, in batches: whatever is asked while a batch is under way goes with the next. */
export interface CommandLane {
  /**
   * @param args what goes in, as JSON text; a function is asked when the command leaves, for what is still added up.
   * @throws NodeError; CommandRefused
   */
  call(name: string, args: string | (() => string), place?: BatchPlace): Promise<unknown>;
  /**
   * The same for a command that this node decides.
   * @param order what it locks first; "" keeps its place among all others.
   */
  decide(command: DecidedCommand, order: string): Promise<unknown>;
  readonly halted: string | null;
  readonly trouble: string | null;
  onHalt(listener: (reason: string) => void): void;
  onTrouble(listener: (reason: string | null) => void): void;
  /** Waits for what is under way, and takes nothing more. */
  end(): Promise<void>;
}

export interface LaneOptions {
  /** Opens one connection. */
  readonly connect: () => SQL;
  readonly clock: Clock;
  /** The lane of ledger time it books in. */
  readonly lane: number;
  /** The node that holds what it sets aside. */
  readonly owner: string;
  /** How long a batch whose connection was lost is asked for, ms. */
  readonly give_up_ms?: number | undefined;
}

interface Job extends Command {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A broken invariant; books that another node has taken over. */
const STOPS: ReadonlySet<string> = new Set(["LB001", "LB005"]);
const BATCH_MAX = 256;
/** Turns of the event loop in which those who were answered may ask again, and go with those who came meanwhile. */
const COMPANY_TURNS = 3;
const GIVE_UP_MS = 15_000;
/** A batch without a reply for this long is on a connection that died silently. */
const SILENT_MS_MAX = 10_000;
const AGAIN_MAX = 20;
const RETRY_MS_MAX = 1_000;
const RUN = "SELECT run_commands($1::text, $2::bigint, $3::bigint, $4::bigint, $5::text) AS results";

/** What became of a batch; if it is still on its way, it is not run any more. Asked twice, it says the same. */
const LOOK_UP = `UPDATE sessions SET batch = $2::bigint, results = CASE WHEN batch >= $2::bigint THEN results END
  WHERE id = $1::text RETURNING results`;

type Outcome = { readonly results: readonly unknown[] } | { readonly refusal: unknown } | { readonly lost: unknown };

const takeTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

export function createCommandLane(options: LaneOptions): CommandLane {
  const { clock, lane, owner, give_up_ms = GIVE_UP_MS } = options;
  const halt_listeners: ((reason: string) => void)[] = [];
  const trouble_listeners: ((reason: string | null) => void)[] = [];
  let sql: SQL | null = null;
  let session: string | null = null;
  let batch = 0;
  let queue: Job[] = [];
  let running: Promise<void> | null = null;
  let ended = false;
  let halted: string | null = null;
  let trouble: string | null = null;
  let stopLooking = (): void => undefined;

  const halt = (reason: string) => {
    if (halted !== null) return;
    halted = reason;
    for (const listener of halt_listeners) listener(reason);
  };
  const setTrouble = (reason: string | null) => {
    if (trouble === reason || ended) return;
    trouble = reason;
    for (const listener of trouble_listeners) listener(reason);
  };
  const refusalNow = (): NodeError | null =>
    halted !== null ? stopped(halted) : trouble !== null ? unwritable(trouble) : null;

  async function send(statements: readonly SQLStatement[]): Promise<readonly (readonly { results?: unknown }[])[]> {
    sql ??= options.connect();
    const own = sql;
    const silent = Promise.withResolvers<never>();
    const isSilent = () => silent.reject(new Error("the database does not answer"));
    const stopWaiting = systemTimers.after(SILENT_MS_MAX, isSilent);
    try {
      const answers = statements.map(({ sql: text, values }) => own.unsafe(text, [...values]));
      return await Promise.race([Promise.all(answers), silent.promise]);
    } catch (error) {
      if (faultOf(error) === "away") drop(own);
      throw error;
    } finally {
      stopWaiting();
    }
  }
  const query = async (text: string, values: readonly unknown[]): Promise<readonly { results?: unknown }[]> =>
    (await send([{ sql: text, values }]))[0] ?? [];
  const drop = (own: SQL) => {
    if (sql === own) sql = null;
    own.close({ timeout: 0 }).catch(() => undefined);
  };

  /** A session that was lost with a batch whose end is not known is never used again. */
  async function openSession(): Promise<string> {
    const id = newId("ses", clock.now());
    await query("INSERT INTO sessions (id, owner) VALUES ($1::text, $2::text)", [id, owner]);
    session = id;
    batch = 0;
    return id;
  }

  /** @returns the outcome of a batch; undefined when the session does not exist, null when the batch was not done. */
  const lookUp = async (session: string, number: number): Promise<unknown> =>
    (await query(LOOK_UP, [session, number]))[0]?.results;

  /** Runs a batch once. The same number again, after a lost connection, fetches its outcome. */
  async function runBatch(jobs: readonly Job[]): Promise<Outcome> {
    const { run, read } = chooseWay(jobs, send);
    const now_ms = clock.now();
    let since_ms: number | null = null;
    let number: number | null = null;
    // The outcome of an attempt is unknown: that a second one is refused does not mean that the first was not done.
    let is_doubtful = false;
    let refusal: unknown = null;
    for (let attempt = 1; ; attempt++) {
      try {
        const own = session ?? (await openSession());
        number ??= ++batch;
        const told =
          refusal === null
            ? ((await run({ session: own, batch: number, lane, now_ms })) ?? undefined)
            : await lookUp(own, number);
        if (typeof told !== "string") {
          if (told !== undefined) {
            setTrouble(null);
            return { refusal };
          }
          // Removed while there was nothing to do, for a day. Without it nothing was done.
          session = null;
          if (is_doubtful || attempt >= AGAIN_MAX) return { lost: new Error("the session of this node was removed") };
          number = null;
          continue;
        }
        setTrouble(null);
        return { results: read(JSON.parse(told)) };
      } catch (error) {
        const fault = refusal !== null ? "away" : error instanceof NotDecided ? "refused" : faultOf(error);
        if (fault === "again" && attempt < AGAIN_MAX) {
          await sleep(systemTimers, chance() * 2 ** Math.min(attempt, 8));
          continue;
        }
        if (fault !== "away") {
          if (is_doubtful) {
            refusal = error;
            continue;
          }
          setTrouble(null);
          return { refusal: error };
        }
        is_doubtful ||= number !== null;
        // Nothing new is taken while the way to the database is looked for.
        setTrouble(renderFault(error));
        refuseQueued();
        since_ms ??= systemTimers.elapsed_ms();
        if (systemTimers.elapsed_ms() - since_ms > give_up_ms || ended) {
          if (number === null) return { refusal: unwritable(renderFault(error)) };
          session = null;
          return { lost: error };
        }
        await sleep(systemTimers, Math.min(RETRY_MS_MAX, 20 * 2 ** Math.min(attempt, 10)) * (0.5 + chance() / 2));
      }
    }
  }

  async function runJobs(jobs: readonly Job[]): Promise<void> {
    const outcome = await runBatch(jobs);
    if ("results" in outcome) {
      jobs.forEach((job, n) => {
        job.resolve(outcome.results[n]);
      });
    } else if ("lost" in outcome) {
      for (const job of jobs) job.reject(unproven(outcome.lost));
    } else if (jobs.length > 1) {
      // One bad command must not fail its neighbours: each gets its own transaction, and its own error.
      for (const job of jobs) await runJobs([job]);
    } else {
      const refusal = outcome.refusal instanceof NotDecided ? outcome.refusal.cause : outcome.refusal;
      const error = toLaneError(refusal);
      if (stopsBooks(refusal)) halt(messageOf(refusal));
      for (const job of jobs) job.reject(error);
    }
  }

  const refuseQueued = () => {
    const refusal = refusalNow();
    if (refusal === null) return;
    const jobs = queue;
    queue = [];
    for (const job of jobs) job.reject(refusal);
  };

  async function pump(): Promise<void> {
    // Whatever is asked in this turn goes together.
    await takeTurn();
    while (queue.length > 0) {
      const { taken: jobs, left } = takeBatch(queue, BATCH_MAX);
      queue = [...left];
      await runJobs(jobs);
      // Without it callers fall into two halves, one asking while the other waits, and each batch has one of them.
      for (let n = 0; n < COMPANY_TURNS && jobs.length > 1 && queue.length < BATCH_MAX; n++) await takeTurn();
    }
  }
  const start = () => {
    running ??= pump().finally(() => {
      running = null;
      if (queue.length > 0) start();
      else if (trouble !== null) lookAgain();
    });
  };
  /** Without a batch that is waiting, an empty one tells whether the database is back. */
  const lookAgain = () => {
    if (ended || halted !== null) return;
    stopLooking = systemTimers.after(RETRY_MS_MAX, () => {
      if (ended || trouble === null) return;
      enqueue({ name: FLUSH, args: "[]", order: "", decided: null }).catch(() => undefined);
    });
  };
  const enqueue = (command: Command): Promise<unknown> =>
    new Promise((resolve, reject) => {
      queue.push({ ...command, resolve, reject });
      start();
    });
  /** Unless nothing new is taken now. */
  const take = (command: Command): Promise<unknown> => {
    const refusal = ended ? stopped("the ledger is closed") : refusalNow();
    return refusal !== null ? Promise.reject(refusal) : enqueue(command);
  };

  return {
    call: (name, args, { order = "" } = {}) => take({ name, args, order, decided: null }),
    decide: (decided, order) => take({ name: "", args: "", order, decided }),
    get halted() {
      return halted;
    },
    get trouble() {
      return halted ?? trouble;
    },
    onHalt: (listener) => halt_listeners.push(listener),
    onTrouble: (listener) => trouble_listeners.push(listener),
    async end() {
      while (running !== null) await running;
      ended = true;
      stopLooking();
      if (session !== null && sql !== null) {
        await query("DELETE FROM sessions WHERE id = $1::text", [session]).catch(() => undefined);
      }
      await sql?.close({ timeout: 1 }).catch(() => undefined);
      sql = null;
    },
  };
}

/** How a batch is run, and how its results are read. */
interface Way {
  /** @returns its results; null when the session is not there. */
  readonly run: (number: BatchNumber) => Promise<unknown>;
  readonly read: (results: unknown) => readonly unknown[];
}

function chooseWay(jobs: readonly Job[], send: SendStatements): Way {
  if (jobs.some(({ decided }) => decided !== null)) {
    return { run: (number) => runDecided(send, jobs, number), read: readAnswers };
  }
  const { render, read } = arrangeBatch(jobs);
  const text = render();
  return {
    async run({ session, batch, lane, now_ms }) {
      const [rows] = await send([{ sql: RUN, values: [session, batch, lane, now_ms, text] }]);
      return rows?.[0]?.results;
    },
    read: (results) => read(results as readonly unknown[]),
  };
}

const stopsBooks = (error: unknown): boolean => error instanceof InvariantError || STOPS.has(sqlStateOf(error));

/** The error for one command. */
function toLaneError(error: unknown): unknown {
  if (stopsBooks(error)) return stopped(messageOf(error));
  const state = sqlStateOf(error);
  // Of no server: what a decision says.
  if (state === "") return error;
  const code = detailOf(error);
  if (state === "LB002" && isErrorCode(code)) {
    const retry = code === "ledger_unavailable" ? { retry_after_s: 30 } : {};
    return new NodeError(code, messageOf(error), retry);
  }
  return new CommandRefused(messageOf(error), state, error);
}

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);
