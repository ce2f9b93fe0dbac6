import type { Database } from "bun:sqlite";
import { assertInvariant, InvariantError, messageOf, NodeError } from "../../core/errors.ts";
import { hasRoom, isCertainlyUndone, isDiskFull, renderStorageFault, storageFaultOf } from "../storage-errors.ts";
import { type Joint, stopped, unproven, unwritable, type Writer, type WriterOptions } from "../writer.ts";

interface Job {
  /** What is to be done, or how it is done with others of its kind. */
  readonly work: (() => unknown) | { readonly joint: Joint<unknown, unknown>; readonly part: unknown };
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const BATCH_MAX = 256;

const LATER_MS = 50;

const RETRY_MS = 1_000;

export function createWriter(db: Database, { retry_ms = RETRY_MS }: WriterOptions = {}): Writer {
  let queue: Job[] = [];
  let halted: string | null = null;
  let trouble: string | null = null;
  let flushing = false;
  let later: ReturnType<typeof setTimeout> | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const halt_listeners: ((reason: string) => void)[] = [];
  const trouble_listeners: ((reason: string | null) => void)[] = [];
  const store = createStore(db);

  const halt = (reason: string) => {
    if (halted !== null) return;
    halted = reason;
    for (const listener of halt_listeners) listener(reason);
  };
  const setTrouble = (reason: string | null) => {
    if (trouble === reason) return;
    trouble = reason;
    for (const listener of trouble_listeners) listener(reason);
  };

  /** While the disk fails, one small commit a second tells whether it takes writes again. */
  const noteFailure = (error: unknown) => {
    if (storageFaultOf(error) === "damaged") return halt(damaged(error));
    setTrouble(renderStorageFault(error));
    clearTimeout(retry);
    retry = setTimeout(() => {
      if (halted !== null) return;
      const failure = isDiskFull(error) && !hasRoom(db.filename) ? error : store.prove();
      if (failure === null) setTrouble(null);
      else noteFailure(failure);
    }, retry_ms);
    retry.unref();
  };

  const refusalNow = (): NodeError | null =>
    halted !== null ? stopped(halted) : trouble !== null ? unwritable(trouble) : null;

  const runJobs = (jobs: readonly Job[], attempt: 1 | 2 = 1): void => {
    const refusal = refusalNow();
    const done = refusal === null ? store.run(jobs) : null;
    if (done === null) {
      rejectAll(jobs, refusal);
    } else if ("values" in done) {
      jobs.forEach((job, index) => {
        job.resolve(done.values[index]);
      });
    } else if (storageFaultOf(done.error) !== null) {
      giveUpOrRetry(jobs, done, attempt);
    } else if (jobs.length > 1) {
      // One bad job must not fail its neighbours: each gets its own transaction, and its own error.
      for (const job of jobs) runJobs([job]);
    } else {
      if (done.error instanceof InvariantError) halt(done.error.message);
      rejectAll(jobs, toLedgerError(done.error));
    }
  };

  /** The disk failed. Work whose result was not reported may be tried once more, when the disk proves that it works. */
  const giveUpOrRetry = (jobs: readonly Job[], { error, undone }: Failed, attempt: 1 | 2) => {
    if (storageFaultOf(error) === "busy") return rejectAll(jobs, toLedgerError(error));
    const failure = store.prove();
    const is_damaged = storageFaultOf(error) === "damaged";
    if (failure === null && attempt === 1 && !is_damaged) return runJobs(jobs, 2);
    noteFailure(is_damaged ? error : (failure ?? error));
    // After a proof nothing is left of it; without one, a sync that failed leaves it open.
    rejectAll(jobs, failure === null || undone ? toLedgerError(error) : unproven(error));
  };

  const flushNow = () => {
    flushing = false;
    if (later) clearTimeout(later);
    later = null;
    while (queue.length > 0) {
      const jobs = queue.slice(0, BATCH_MAX);
      queue = queue.slice(BATCH_MAX);
      runJobs(jobs);
    }
  };

  const enqueue = <T>(work: Job["work"]): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (halted !== null) return reject(stopped(halted));
      queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (flushing) return;
      flushing = true;
      // Under load, work that arrives during one flush shares the next: no job has to wait for another.
      setImmediate(flushNow);
    });
  const write = <T>(work: () => T): Promise<T> => enqueue(work);

  const writeLater = (work: () => void, failed: (error: unknown) => void, done: () => void = () => undefined): void => {
    if (halted !== null) {
      failed(stopped(halted));
      return;
    }
    queue.push({ work, resolve: done, reject: failed });
    if (!flushing && later === null) later = setTimeout(flushNow, LATER_MS);
  };

  return {
    write,
    writeJoint: <P, V>(joint: Joint<P, V>, part: P): Promise<V> =>
      enqueue({ joint: joint as Joint<unknown, unknown>, part }),
    writeLater,
    flushNow,
    flush: async () => {
      if (halted === null) await write(() => undefined);
    },
    get halted() {
      return halted;
    },
    get trouble() {
      return halted ?? trouble;
    },
    assertTaking() {
      const refusal = refusalNow();
      if (refusal !== null) throw refusal;
    },
    onHalt: (listener) => halt_listeners.push(listener),
    onTrouble: (listener) => trouble_listeners.push(listener),
    stop: () => clearTimeout(retry),
  };
}

interface Failed {
  readonly error: unknown;
  /** It is certain that no part of it is or will be in the file. */
  readonly undone: boolean;
}

/** In order; what can be run as one is. @returns what each returned. */
function runWork(jobs: readonly Job[]): readonly unknown[] {
  const values: unknown[] = [];
  while (values.length < jobs.length) {
    const work = jobs[values.length]?.work;
    if (typeof work === "function") values.push(work());
    else if (work !== undefined) {
      const { joint } = work;
      const parts: unknown[] = [];
      for (let at = values.length; at < jobs.length; at += 1) {
        const next = jobs[at]?.work;
        if (typeof next !== "object" || next.joint !== joint) break;
        parts.push(next.part);
      }
      const done = joint.run(parts);
      assertInvariant(done.length === parts.length, "what is done as one answers each part");
      values.push(...done);
    }
  }
  return values;
}

/** One db transaction at a time, and what can be said of one that failed. */
function createStore(db: Database) {
  let committing = false;
  const runAll = db.transaction((jobs: readonly Job[]) => {
    const values = runWork(jobs);
    committing = true;
    return values;
  });
  const version = Object.values(db.query("PRAGMA user_version").get() as Record<string, unknown>)[0];
  const leave = () => {
    if (db.inTransaction) db.run("ROLLBACK");
  };
  return {
    run(jobs: readonly Job[]): { readonly values: readonly unknown[] } | Failed {
      committing = false;
      try {
        return { values: runAll.immediate(jobs) };
      } catch (error) {
        return { error, undone: !committing || isCertainlyUndone(error) };
      }
    },
    /**
     * Commits a page that says what it said before. A commit that failed in its sync may still be whole in the
     * write-ahead log, where only the next start would find it; this one is written over it, so that after it nothing
     * of that commit is left, and the disk has shown that it takes writes and syncs.
     * @returns null, or why it failed.
     */
    prove(): unknown {
      try {
        leave();
        db.run(`PRAGMA user_version = ${version}`);
        return null;
      } catch (error) {
        return error;
      }
    },
  };
}

function rejectAll(jobs: readonly Job[], error: unknown): void {
  for (const job of jobs) job.reject(error);
}

const damaged = (error: unknown): string =>
  `the ledger file is damaged (${messageOf(error)}): stop the node, run "intel-node ledger audit", restore a backup`;

/**
 * Invariant breaks and our own errors pass; anything SQLite says (disk full, I/O) means: not now, nothing was
 * charged.
 */
function toLedgerError(error: unknown): unknown {
  if (error instanceof InvariantError) return stopped(error.message);
  return error instanceof NodeError ? error : unwritable(messageOf(error));
}
