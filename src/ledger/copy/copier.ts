import { sleep } from "../../core/clock.ts";
import { messageOf } from "../../core/errors.ts";
import { type CopierOptions, startRun, stateOf } from "./copy-run.ts";
import { beginGeneration, sendCuts } from "./send-cuts.ts";
import { boundLog, checkpointRun, lookAtLog } from "./take-cuts.ts";
import { takeImage } from "./take-image.ts";

/**
 * Ships what the writer commits, from its own log, to a store. Lives in the thread of the writer, owns the checkpoint,
 * and never lets a commit wait: what the store does not take stays in the log.
 */
export interface Copier {
  /** Writes the log into the file, unless it is still needed. @returns false only when a reader is in the way. */
  checkpoint(): boolean;
  /** Sends what is left, if the store is quick, and ends. */
  close(): Promise<void>;
}

export function startCopier(options: CopierOptions): Copier {
  const run = startRun(options);
  const { db, sending, timers, order, limits } = run;
  let working: Promise<void> | null = null;
  let told = "";
  let stopTimer: () => void = () => undefined;
  /** Resolves when the image that is being taken is over. */
  let image: Promise<void> = Promise.resolve();

  const tell = () => {
    const state = stateOf(run);
    const text = JSON.stringify(state);
    if (text !== told && !run.ended) options.tell(state);
    told = text;
  };

  const work = async () => {
    if (!sending.isDue()) return;
    try {
      if (run.generation === null) await beginGeneration(run);
      if (run.imaged === null) image = takeImage(run, tell);
      await sendCuts(run, tell);
      if (run.generation !== null) sending.worked();
    } catch (error) {
      sending.failed(messageOf(error));
    }
  };

  /** A process may end before its first image exists; then the store has nothing of what it sold. */
  const finish = async () => {
    await working;
    if (run.generation === null) await beginGeneration(run);
    if (run.imaged === null) image = takeImage(run, tell);
    await image;
    await sendCuts(run, tell);
  };

  const tick = () => {
    try {
      lookAtLog(run);
      boundLog(run);
    } catch (error) {
      // Faults of the books are reported by their writer; this look saw nothing.
      sending.failed(messageOf(error));
    }
    working ??= work().finally(() => {
      working = null;
      tell();
    });
    tell();
    stopTimer = timers.after(order.every_ms, tick);
  };

  // From here on the log is emptied here alone.
  db.run("PRAGMA wal_autocheckpoint = 0");
  stopTimer = timers.after(0, tick);

  return {
    checkpoint() {
      const done = checkpointRun(run);
      tell();
      return done;
    },
    async close() {
      stopTimer();
      lookAtLog(run);
      if (sending.why === null && (run.pending.oldest_ms !== null || run.lacking_ms !== null)) {
        await Promise.race([finish().catch(() => undefined), sleep(timers, limits.close_ms)]);
      }
      run.ended = true;
      run.imaged = null;
    },
  };
}
