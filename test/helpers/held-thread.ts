import { systemTimers, type Timers } from "../../src/core/clock.ts";
import { createThreadTurns, type ThreadTurns } from "../../src/core/thread-turns.ts";

/**
 * Longer than this nothing may hold the serving thread, ms of that thread's own processor time. A machine that is busy
 * has cold caches and compiles late: it is the best of some tries that counts, and there are more of them for what is
 * above the bar.
 */
export const HELD_MS_MAX = 20;

/** More of that time no price buys, µs for each micro-dollar: docs/performance.md has what each product takes. */
export const CPU_PER_PRICE_MAX = 3;

/** What is above its bar is tried so often before it counts: two tries do for all others. */
export const HELD_TRIES_MAX = 12;

/** What this thread itself worked so far, ms: what other processes take of the clock is no time of ours. */
export const readThreadMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Timers that fire by the clock and count the thread's own work. */
const THREAD_TIMERS: Timers = { ...systemTimers, elapsed_ms: readThreadMs };

/** The thread's turns, with what all pieces took together. */
export function createCountedTurns(): ThreadTurns & { readonly total_ms: () => number } {
  const turns = createThreadTurns(THREAD_TIMERS);
  let total_ms = 0;
  return {
    run: (whose, work, more) =>
      turns.run(
        whose,
        () => {
          const before_ms = readThreadMs();
          try {
            return work();
          } finally {
            total_ms += readThreadMs() - before_ms;
          }
        },
        more,
      ),
    status: turns.status,
    total_ms: () => total_ms,
  };
}
