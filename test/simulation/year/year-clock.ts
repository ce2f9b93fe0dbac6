import type { SettableClock, Timers } from "../../../src/core/clock.ts";

/** The world's time, the node's clock, which may be wrong, and what waits for a moment; all move when they are told. */
interface YearClock {
  /** What everybody else's clocks say, ms. */
  world(): number;
  /** The node's: to set it moves the world along with it. */
  readonly node: SettableClock;
  /** How far the node's is ahead of the world's, ms. */
  setWrong(by_ms: number): void;
  /**
   * Time limits and pauses of the node. For them the world's time passes, and this process's own turns besides: a call
   * that pauses while it is under way goes on.
   */
  readonly timers: Timers;
  /** Ends what is due by now. */
  fireDue(): void;
}

const TURN_MS = 10;

export function createYearClock(start_ms: number): YearClock {
  let world_ms = start_ms;
  let wrong_ms = 0;
  let turned_ms = 0;
  let is_turning = false;
  const elapsed_ms = (): number => world_ms - start_ms + turned_ms;
  const waiting = new Set<{ readonly at_ms: number; readonly fire: () => void }>();
  const fireDue = (): void => {
    for (const timer of [...waiting].toSorted((a, b) => a.at_ms - b.at_ms)) {
      // An earlier one may have canceled it.
      if (timer.at_ms <= elapsed_ms() && waiting.delete(timer)) timer.fire();
    }
  };
  const turn = (): void => {
    turned_ms += TURN_MS;
    fireDue();
    is_turning = waiting.size > 0;
    if (is_turning) setTimeout(turn, TURN_MS);
  };
  return {
    world: () => world_ms,
    node: {
      now: () => world_ms + wrong_ms,
      set: (to_ms) => {
        world_ms = to_ms - wrong_ms;
      },
      advance: (ms) => {
        world_ms += ms;
      },
    },
    setWrong: (by_ms) => {
      wrong_ms = by_ms;
    },
    timers: {
      elapsed_ms,
      after(ms, fire) {
        const timer = { at_ms: elapsed_ms() + ms, fire };
        waiting.add(timer);
        if (!is_turning) setTimeout(turn, TURN_MS);
        is_turning = true;
        return () => waiting.delete(timer);
      },
    },
    fireDue,
  };
}
