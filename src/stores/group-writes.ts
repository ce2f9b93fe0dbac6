import type { Database } from "bun:sqlite";

interface QueuedWrite {
  readonly write: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Makes writes that come at one moment one commit: each commit waits for the disk, and holds the thread meanwhile. A
 * write is on disk when its promise resolves. One that fails fails alone.
 */
export function createWriteGroup(db: Database): (write: () => void) => Promise<void> {
  let waiting: QueuedWrite[] = [];

  const commit = (batch: readonly QueuedWrite[]): void =>
    db
      .transaction(() => {
        for (const { write } of batch) write();
      })
      .immediate();

  function commitAlone(one: QueuedWrite): void {
    try {
      commit([one]);
    } catch (error) {
      one.reject(error);
      return;
    }
    one.resolve();
  }

  function flush(): void {
    const batch = waiting;
    waiting = [];
    try {
      commit(batch);
    } catch {
      // Nothing of it was written: each gets its own answer.
      batch.forEach(commitAlone);
      return;
    }
    for (const { resolve } of batch) resolve();
  }

  return (write) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ write, resolve, reject });
    });
}
