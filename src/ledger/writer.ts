import { messageOf, NodeError } from "../core/errors.ts";

/**
 * Group commit: writes that arrive together share one db transaction, and so one fsync. A promise resolves only after
 * its COMMIT is durable.
 */
export interface Writer {
  /** Runs `work` inside a db transaction. `work` must only touch the database: it may run more than once. */
  write<T>(work: () => T): Promise<T>;
  /** The same for work of a kind: what follows one another in a db transaction is run as one. */
  writeJoint<P, V>(joint: Joint<P, V>, part: P): Promise<V>;
  /**
   * Queues work that no caller waits for: it shares the commit of the next `write`, or is written within 50 ms. In
   * order with all other writes. If it fails, `failed` is called; when it is durable, `done`.
   */
  writeLater(work: () => void, failed: (error: unknown) => void, done?: () => void): void;
  /** Writes everything queued so far, now, in this turn. */
  flushNow(): void;
  /** Waits until everything queued so far is durable. */
  flush(): Promise<void>;
  /** Why no more writes are taken, or null. Set by a broken invariant: stopping beats wrong money. */
  readonly halted: string | null;
  /** Why writes are refused now, or null: it has halted, or the disk cannot take them and is tried every second. */
  readonly trouble: string | null;
  /**
   * For work that ends in a write: better refused before it is begun.
   * @throws NodeError ledger_unavailable while writes are refused.
   */
  assertTaking(): void;
  /** Called once when writing stops for good. */
  onHalt(listener: (reason: string) => void): void;
  /** Called with the reason when the disk begins to fail, and with null when it takes writes again. */
  onTrouble(listener: (reason: string | null) => void): void;
  /** No disk is tried again after this: the database is about to be closed. */
  stop(): void;
}

export interface WriterOptions {
  /** How often a disk that fails is tried again, ms. */
  readonly retry_ms?: number | undefined;
}

/** A way to do many pieces of work as one. */
export interface Joint<P, V> {
  /** Like work, may run more than once. @returns what each alone would have returned, in the same order. */
  run(parts: readonly P[]): readonly V[];
}

export const stopped = (reason: string): NodeError =>
  new NodeError("ledger_unavailable", "The ledger has stopped taking payments. Nothing was charged.", {
    cause: reason,
    retry_after_s: 60,
  });

export const unwritable = (cause: string): NodeError =>
  new NodeError("ledger_unavailable", "The ledger cannot take new payments now. Nothing was charged.", {
    cause,
    retry_after_s: 30,
  });

export const unproven = (error: unknown): NodeError =>
  new NodeError("ledger_unavailable", "The ledger's disk failed; whether this was recorded is not known yet.", {
    cause: messageOf(error),
    retry_after_s: 30,
    charge_unknown: true,
  });
