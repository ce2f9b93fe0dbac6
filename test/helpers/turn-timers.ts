import type { Timers } from "../../src/core/clock.ts";

const TURN_MS = 10;

/**
 * Timers that count this process's own turns: a hundredth of a second passes with each turn, however long others keep
 * the process from it. A node, its facilitator and its buyers in one process are given the time they need on any
 * machine, and a facilitator that hangs is given up all the same. Nothing passes while nobody waits.
 */
export function createTurnTimers(): Timers {
  const waiting = new Set<{ readonly at_ms: number; readonly fire: () => void }>();
  let now_ms = 0;
  let is_ticking = false;
  const tick = (): void => {
    now_ms += TURN_MS;
    for (const timer of [...waiting].sort((a, b) => a.at_ms - b.at_ms)) {
      // An earlier one may have canceled it.
      if (timer.at_ms > now_ms || !waiting.delete(timer)) continue;
      timer.fire();
    }
    is_ticking = waiting.size > 0;
    if (is_ticking) setTimeout(tick, TURN_MS);
  };
  return {
    elapsed_ms: () => now_ms,
    after(ms, fire) {
      const timer = { at_ms: now_ms + ms, fire };
      waiting.add(timer);
      if (!is_ticking) setTimeout(tick, TURN_MS);
      is_ticking = true;
      return () => waiting.delete(timer);
    },
  };
}
