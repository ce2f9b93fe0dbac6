import type { SettableClock, Timers } from "../../src/core/clock.ts";

/** When tests take place whose time of day does not matter. */
export const START_MS = Date.parse("2026-03-01T12:00:00Z");

/** A clock that stands still until it is told to move, so that a slow machine is no later than a fast one. */
export function createStillClock(start_ms = START_MS): SettableClock {
  let now_ms = start_ms;
  return {
    now: () => now_ms,
    set: (to_ms) => {
      now_ms = to_ms;
    },
    advance: (ms) => {
      now_ms += ms;
    },
  };
}

/** Time limits that never end by themselves: a busy machine ends nothing that is under way. */
export const STILL_TIMERS: Timers = { elapsed_ms: () => 0, after: () => () => undefined };
