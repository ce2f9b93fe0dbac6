import type { Database } from "bun:sqlite";
import { InvariantError, messageOf, NodeError } from "../core/errors.ts";

/**
 * Group commit: writes that arrive together share one db transaction, and so one fsync. A promise resolves only after
 * its COMMIT is durable.
 */
export interface Writer {
  /** Runs `work` inside a db transaction. `work` must only touch the database: it may run twice. */
  write<T>(work: () => T): Promise<T>;
  /**
   * Queues work nobody waits for: it shares the commit of the next `write`, or is written within 50 ms. In order with
   * all other writes. If it fails, `failed` is told.
   */
  writeLater(work: () => void, failed: (error: unknown) => void): void;
  /** Writes everything queued so far, now, in this turn. */
  flushNow(): void;
  /** Waits until everything queued so far is durable. */
  flush(): Promise<void>;
  /** Why no more writes are taken, or null. Set by a broken invariant: stopping beats wrong money. */
  readonly halted: string | null;
  /** Called once when writing stops for good. */
  onHalt(listener: (reason: string) => void): void;
}

interface Job {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

const BATCH_MAX = 256;
const LATER_MS = 50;
/**
 * Under load a flush waits until this long after the one before, so that more writes share its fsync. A lone write
 * never waits.
 */
const GAP_MS = 1;

/** @param gap_ms another waiting time, for tests that write one after the other. */
export function createWriter(db: Database, gap_ms: number = GAP_MS): Writer {
  let queue: Job[] = [];
  let halted: string | null = null;
  let flushing = false;
  let flushed_at = 0;
  let later: ReturnType<typeof setTimeout> | null = null;
  const listeners: ((reason: string) => void)[] = [];

  const runAll = db.transaction((jobs: readonly Job[]) => jobs.map((job) => job.work()));

  const halt = (error: InvariantError) => {
    if (halted !== null) return;
    halted = error.message;
    for (const listener of listeners) listener(error.message);
  };

  const runOne = (job: Job) => {
    try {
      const [value] = runAll.immediate([job]);
      job.resolve(value);
    } catch (error) {
      if (error instanceof InvariantError) halt(error);
      job.reject(toLedgerError(error));
    }
  };

  const flushNow = () => {
    flushing = false;
    if (later) clearTimeout(later);
    later = null;
    while (queue.length > 0) {
      const jobs = queue.slice(0, BATCH_MAX);
      queue = queue.slice(BATCH_MAX);
      if (halted !== null) {
        for (const job of jobs) job.reject(stopped(halted));
        continue;
      }
      let values: unknown[];
      try {
        values = runAll.immediate(jobs);
      } catch {
        // One bad job must not fail its neighbours: each gets a transaction, and an error, of its own.
        for (const job of jobs) runOne(job);
        continue;
      }
      jobs.forEach((job, index) => {
        job.resolve(values[index]);
      });
    }
    flushed_at = performance.now();
  };

  const write = <T>(work: () => T): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (halted !== null) return reject(stopped(halted));
      queue.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (flushing) return;
      flushing = true;
      if (performance.now() - flushed_at < gap_ms) setTimeout(flushNow, gap_ms);
      else setImmediate(flushNow);
    });

  const writeLater = (work: () => void, failed: (error: unknown) => void): void => {
    if (halted !== null) {
      failed(stopped(halted));
      return;
    }
    queue.push({ work, resolve: () => undefined, reject: failed });
    if (!flushing && later === null) later = setTimeout(flushNow, LATER_MS);
  };

  return {
    write,
    writeLater,
    flushNow,
    flush: async () => {
      if (halted === null) await write(() => undefined);
    },
    get halted() {
      return halted;
    },
    onHalt: (listener) => listeners.push(listener),
  };
}

const stopped = (reason: string): NodeError =>
  new NodeError("ledger_unavailable", "The ledger has stopped taking payments. Nothing was charged.", {
    cause: reason,
    retry_after_s: 60,
  });

/**
 * Invariant breaks and our own errors pass; anything SQLite says (disk full, I/O) means: not now, nothing was
 * charged.
 */
function toLedgerError(error: unknown): unknown {
  if (error instanceof InvariantError) return stopped(error.message);
  if (error instanceof NodeError) return error;
  return new NodeError("ledger_unavailable", "The ledger cannot take new payments now. Nothing was charged.", {
    cause: messageOf(error),
    retry_after_s: 30,
  });
}
