import { systemTimers, type Timers } from "./clock.ts";
import { NodeError } from "./errors.ts";
import { readThreadMs } from "./thread-cost.ts";

/** Holds heavy work back while the thread that serves is late by its own work, the heaviest class first. */
export interface LoopBrake {
  /**
   * @param cost_ms what the work is expected to take; null if unknown.
   * @throws NodeError overloaded while work of that weight is held back.
   */
  assertFree(cost_ms: number | null): void;
  /** Looks how late the thread is while work is under way. @returns to be called when that work is done. */
  watch(): () => void;
  status(): BrakeStatus;
}

export interface BrakeStatus {
  /** How many classes are held back now, of three. */
  readonly classes: number;
  /** Times the thread was later than the bar by its own work, and the most so far, ms. */
  readonly late: number;
  readonly latest_ms: number;
  /** Productions that were refused. */
  readonly refused: number;
}

/** The thread may be so late. */
const LAG_MS_MAX = 50;
/** How often it is looked at. One late look may be a single long piece: two in a row are more than can be done. */
const LOOK_MS = 50;
/** How long the work that was just held back has to drain before the next class is held back too. */
const NEXT_CLASS_MS = 500;
/** A class is let in again when the thread was in time for so long. */
const LET_IN_MS = 1_000;
/** Work of each class takes at least so many ms, heaviest first. The last class is all there is to produce. */
const WEIGHT_CLASSES: readonly number[] = [4, 1, 0];
/** Work that was never timed counts as neither light nor heavy. */
const UNKNOWN_MS = 1;

export interface LoopBrakeOptions {
  readonly timers?: Timers;
  /** Processor time of this thread so far, ms. */
  readonly worked_ms?: () => number;
}

/**
 * A machine that others keep busy makes every thread late, and to refuse work would not help: of what the thread is
 * late by only that counts which it worked itself.
 */
export function createLoopBrake({ timers = systemTimers, worked_ms = readThreadMs }: LoopBrakeOptions = {}): LoopBrake {
  let under_way = 0;
  let is_looking = false;
  let classes = 0;
  let changed_at_ms = Number.NEGATIVE_INFINITY;
  let late_at_ms = Number.NEGATIVE_INFINITY;
  let was_late = false;
  const counts = { late: 0, latest_ms: 0, refused: 0 };

  const judge = (lag_ms: number, now_ms: number): void => {
    if (lag_ms > LAG_MS_MAX) {
      counts.late += 1;
      counts.latest_ms = Math.max(counts.latest_ms, lag_ms);
      late_at_ms = now_ms;
      const is_first = !was_late;
      was_late = true;
      if (is_first || classes === WEIGHT_CLASSES.length || now_ms - changed_at_ms < NEXT_CLASS_MS) return;
      classes += 1;
      changed_at_ms = now_ms;
      return;
    }
    was_late = false;
    if (classes > 0 && now_ms - Math.max(late_at_ms, changed_at_ms) >= LET_IN_MS) {
      classes -= 1;
      changed_at_ms = now_ms;
    }
  };
  const look = (): void => {
    // Nothing is in progress and nothing is held back: nothing can be late.
    if (under_way === 0 && classes === 0) {
      is_looking = false;
      return;
    }
    is_looking = true;
    const due_ms = timers.elapsed_ms() + LOOK_MS;
    const before_ms = worked_ms();
    timers.after(LOOK_MS, () => {
      const now_ms = timers.elapsed_ms();
      judge(Math.min(now_ms - due_ms, worked_ms() - before_ms), now_ms);
      look();
    });
  };

  return {
    assertFree(cost_ms) {
      const floor_ms = WEIGHT_CLASSES[classes - 1];
      if (floor_ms === undefined || (cost_ms ?? UNKNOWN_MS) < floor_ms) return;
      counts.refused += 1;
      const message = "The node is late with its work, and heavy work has to wait. Nothing was charged.";
      throw new NodeError("overloaded", message, { retry_after_s: 2, own_limit: true });
    },
    watch() {
      under_way += 1;
      if (!is_looking) look();
      return () => {
        under_way -= 1;
      };
    },
    status: () => ({ classes, ...counts }),
  };
}
