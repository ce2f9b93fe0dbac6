import { systemTimers } from "../../src/core/clock.ts";
import { readThreadMs } from "../../src/core/thread-cost.ts";
import { createThreadTurns, type ThreadTurns } from "../../src/core/thread-turns.ts";
import { measureSpeed } from "./machine-speed.ts";

/**
 * On a slower machine than the reference the same work takes longer: bars are for the work. Both are measured by the
 * thread's own processor time, so that a crowded machine does not loosen them.
 */
const SLOWNESS = 1 / Math.min(1, measureSpeed(readThreadMs));

/**
 * Longer than this nothing may hold the serving thread, ms of that thread's own processor time; 20 on the reference. A
 * machine that is busy has cold caches and compiles late: it is the best of some tries that counts, and there are more
 * of them for what is above the bar.
 */
export const HELD_MS_MAX = 20 * SLOWNESS;

/** More of that time no price buys, µs for each micro-dollar: docs/performance.md has what each product takes. */
export const CPU_PER_PRICE_MAX = 3 * SLOWNESS;

/** What is above its bar is tried so often before it counts: two tries do for all others. */
export const HELD_TRIES_MAX = 12;

/**
 * The thread's turns, with what all pieces took together.
 * @param read_ms by what clock; the thread's own work unless given, which systems count in steps of some milliseconds.
 */
export function createCountedTurns(
  read_ms: () => number = readThreadMs,
): ThreadTurns & { readonly total_ms: () => number } {
  // They fire by the clock.
  const turns = createThreadTurns({ ...systemTimers, elapsed_ms: read_ms });
  let total_ms = 0;
  return {
    run: (whose, work, more) =>
      turns.run(
        whose,
        () => {
          const before_ms = read_ms();
          try {
            return work();
          } finally {
            total_ms += read_ms() - before_ms;
          }
        },
        more,
      ),
    status: turns.status,
    total_ms: () => total_ms,
  };
}
