import type { Timers } from "../../src/core/clock.ts";

/** Timers of a test: time passes when the test says so, and no test waits for it. */
export interface ManualTimers extends Timers {
  /** Lets time pass: whatever comes due fires in order, at its own moment, with the work it sets off in between. */
  advance(ms: number): Promise<void>;
  /** The lengths of all timers that are set, in ms, in the order they were set. */
  set(): readonly number[];
  /** Resolves as soon as a timer of this length is set: work that waits for real I/O sets it some time later. */
  waitForTimer(ms: number): Promise<void>;
  /** Waits for a timer of this length to be set, then lets that much time pass. */
  expire(ms: number): Promise<void>;
}

interface Timer {
  readonly ms: number;
  readonly at_ms: number;
  readonly fire: () => void;
}

/** Lets everything run that waits for nothing but its turn. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function createManualTimers(): ManualTimers {
  const timers = new Set<Timer>();
  const watchers = new Set<{ readonly ms: number; readonly resolve: () => void }>();
  let now_ms = 0;

  const waitForTimer = async (ms: number): Promise<void> => {
    if ([...timers].some((timer) => timer.ms === ms)) return;
    await new Promise<void>((resolve) => watchers.add({ ms, resolve }));
  };
  const advance = async (ms: number): Promise<void> => {
    const end_ms = now_ms + ms;
    await settle();
    for (;;) {
      const due = [...timers].filter(({ at_ms }) => at_ms <= end_ms).sort((a, b) => a.at_ms - b.at_ms)[0];
      if (!due) break;
      timers.delete(due);
      now_ms = Math.max(now_ms, due.at_ms);
      due.fire();
      await settle();
    }
    now_ms = end_ms;
  };

  return {
    elapsed_ms: () => now_ms,
    after(ms, fire) {
      const timer = { ms, at_ms: now_ms + ms, fire };
      timers.add(timer);
      for (const watcher of [...watchers]) {
        if (watcher.ms !== ms) continue;
        watchers.delete(watcher);
        watcher.resolve();
      }
      return () => void timers.delete(timer);
    },
    set: () => [...timers].map(({ ms }) => ms),
    advance,
    waitForTimer,
    async expire(ms) {
      await waitForTimer(ms);
      await advance(ms);
    },
  };
}
