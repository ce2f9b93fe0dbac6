import { Cron } from "croner";
import type { Clock } from "../../src/core/clock.ts";
import type { JobTimers } from "../../src/jobs/scheduler.ts";
import { HANG_MS } from "../helpers/hang-limit.ts";

/** Time that moves when it is told to, and on by itself while work is done: what waits for a moment gets it. */
export interface DrivenClock extends Clock {
  /** Never back. */
  moveTo(to_ms: number): void;
}

export function createDrivenClock(start_ms: number): DrivenClock {
  let base_ms = start_ms - performance.now();
  // Not the system's time, which a test may set while a buyer signs.
  const now = () => Math.floor(base_ms + performance.now());
  return {
    now,
    moveTo: (to_ms) => {
      base_ms += Math.max(0, to_ms - now());
    },
  };
}

interface Timer {
  readonly pattern: string;
  readonly cron: Cron;
  readonly fire: () => Promise<void>;
  at_ms: number;
}

interface Sleeper {
  readonly at_ms: number;
  readonly wake: () => void;
}

export interface DrivenTimers extends JobTimers {
  /** When the timers were started, ms; 0 before. */
  startedAt(): number;
  /** Lives until a moment: whatever is due is called at its time, and runs to its end before time goes on. */
  liveTo(to_ms: number): Promise<void>;
}

/** A run that hangs is told instead of hanging the test. */
const HUNG_MS = HANG_MS * 0.8;
const LOOK_MS = 20;

/**
 * A scheduler's timers on a driven clock: the real patterns, read by the library that reads them in a running node.
 * @param held number of runs that are held up now: time goes on without them
 */
export function createDrivenTimers(clock: DrivenClock, held: () => number): DrivenTimers {
  const timers = new Set<Timer>();
  const sleepers = new Set<Sleeper>();
  let started_at_ms = 0;
  let fired = 0;
  let ended = 0;
  let onEnded: () => void = () => undefined;
  const nextOf = (cron: Cron, after_ms: number) =>
    cron.nextRun(new Date(after_ms))?.getTime() ?? Number.POSITIVE_INFINITY;

  const countBusy = () => fired - ended - sleepers.size - held();

  /** Waits until every run has ended that neither is held nor waits for its moment. */
  const settle = async (): Promise<void> => {
    const until = performance.now() + HUNG_MS;
    while (countBusy() > 0) {
      if (performance.now() > until) throw new Error(`${countBusy()} runs did not end`);
      const { promise, resolve } = Promise.withResolvers<void>();
      // A run that comes to be held tells nobody.
      const look = setTimeout(resolve, LOOK_MS);
      onEnded = resolve;
      await promise;
      clearTimeout(look);
    }
  };

  const fireNow = ({ fire }: Timer): void => {
    fired += 1;
    void fire().finally(() => {
      ended += 1;
      onEnded();
    });
  };

  return {
    startedAt: () => started_at_ms,
    start(pattern, fire) {
      started_at_ms = clock.now();
      const cron = new Cron(pattern, { utcOffset: 0, paused: true });
      const timer: Timer = { pattern, cron, fire, at_ms: nextOf(cron, started_at_ms) };
      timers.add(timer);
      return {
        next: () => (timers.has(timer) ? new Date(timer.at_ms) : null),
        stop: () => void timers.delete(timer),
      };
    },
    pause(ms) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const sleeper: Sleeper = {
        at_ms: clock.now() + ms,
        wake: () => {
          sleepers.delete(sleeper);
          resolve();
        },
      };
      sleepers.add(sleeper);
      onEnded();
      return promise;
    },
    async liveTo(to_ms) {
      for (;;) {
        const next_ms = Math.min(...[...timers, ...sleepers].map(({ at_ms }) => at_ms));
        if (next_ms > to_ms) break;
        clock.moveTo(next_ms);
        for (const sleeper of [...sleepers]) if (sleeper.at_ms <= next_ms) sleeper.wake();
        for (const timer of [...timers]) {
          if (timer.at_ms > next_ms) continue;
          timer.at_ms = nextOf(timer.cron, next_ms);
          fireNow(timer);
        }
        await settle();
      }
      clock.moveTo(to_ms);
    },
  };
}
