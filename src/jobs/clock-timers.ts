import { Cron } from "croner";
import type { SettableClock, Timers } from "../core/clock.ts";
import { JITTER_MS_MAX, type JobTimers, type Skipping } from "./scheduler.ts";

/** Timers of jobs on a clock that can be set: the marks are due when that clock says so. */
export interface ClockTimers extends JobTimers {
  /**
   * Lives until a moment: whatever is due on the way is called at its time, in order, and has ended before time
   * goes on, as has what was under way before. A mark shortly before the moment is lived too: the pause that spreads
   * nodes ends with it. A second call waits for the first. A moment that has passed is reached already.
   */
  liveTo(to_ms: number): Promise<void>;
}

interface Timer {
  readonly cron: Cron;
  readonly fire: () => Promise<void>;
  readonly skipping: Skipping;
  at_ms: number;
  /** Marks after the next one, in order, when those between them are skipped. */
  ahead_ms: readonly number[];
}

interface Sleeper {
  readonly at_ms: number;
  /** Its mark is due. */
  readonly is_due: boolean;
  readonly wake: () => void;
}

/** How soon a clock that was set is noticed. */
const LOOK_EVERY_MS = 1_000;

const nextOf = (cron: Cron, after_ms: number): number =>
  cron.nextRun(new Date(after_ms))?.getTime() ?? Number.POSITIVE_INFINITY;

/** The first mark that is called on the way to a moment, when only the last few of them leave anything behind. */
function firstKept({ cron, skipping: { runs_kept, reads }, at_ms }: Timer, to_ms: number): number {
  if (runs_kept === undefined) return at_ms;
  // What is read counts by its age: a run may come as much later than its mark as nodes are spread.
  const oldest = cron.previousRuns(runs_kept, new Date(to_ms + 1 - (reads ? JITTER_MS_MAX : 0))).at(-1);
  return Math.max(at_ms, oldest?.getTime() ?? at_ms);
}

/** Leaves marks out on the way to a moment, but none that leaves something behind or is read by one that does. */
function skipMarks(timers: readonly Timer[], to_ms: number): void {
  const limited = timers.filter(({ skipping }) => skipping.runs_kept !== undefined);
  const kept_ms = new Map(limited.map((timer) => [timer, firstKept(timer, to_ms)]));
  const read_ms = new Set<number>();
  for (const [{ cron, skipping }, from_ms] of kept_ms) {
    if (skipping.reads !== true) continue;
    for (let at_ms = from_ms; at_ms <= to_ms; at_ms = nextOf(cron, at_ms)) read_ms.add(at_ms);
  }
  const add = (timer: Timer): readonly number[] => {
    const first_ms = kept_ms.get(timer) ?? timer.at_ms;
    const extra_ms = new Set<number>();
    for (const moment_ms of timer.skipping.feeds ? read_ms : []) {
      if (moment_ms <= timer.at_ms) continue;
      // Not the mark of the same minute: which of the two comes first is the pauses' choice.
      const [last] = timer.cron.previousRuns(1, new Date(moment_ms));
      if (last && last.getTime() >= timer.at_ms && last.getTime() < first_ms) extra_ms.add(last.getTime());
    }
    const marks_ms = [...extra_ms].toSorted((a, b) => a - b);
    const [next_ms = first_ms, ...ahead_ms] = [...marks_ms, first_ms];
    timer.at_ms = next_ms;
    timer.ahead_ms = ahead_ms;
    return marks_ms;
  };
  // What reads and is read finds what it needs at its own marks, too.
  for (const mark_ms of limited.filter(({ skipping }) => skipping.reads).flatMap(add)) read_ms.add(mark_ms);
  limited.filter(({ skipping }) => !skipping.reads).forEach(add);
}

/** The next mark of a timer whose mark was due. */
function goOn(timer: Timer, now_ms: number): void {
  const left_ms = timer.ahead_ms.filter((at_ms) => at_ms > now_ms);
  timer.at_ms = left_ms[0] ?? nextOf(timer.cron, now_ms);
  timer.ahead_ms = left_ms.slice(1);
}

/** Forgets what a skip left out: every mark counts again. */
function startOver(timer: Timer, now_ms: number): void {
  timer.ahead_ms = [];
  timer.at_ms = nextOf(timer.cron, now_ms);
}

/** A mark that was missed because the clock was set ahead is called once; those before it are not made up for. */
export function createClockTimers(clock: SettableClock, timers: Timers): ClockTimers {
  const marks = new Set<Timer>();
  const sleepers = new Set<Sleeper>();
  let running = 0;
  let living: Promise<void> | null = null;
  let seen_ms = clock.now();
  let cancelLook = () => {};
  let onIdle = () => {};

  const fireDue = (now_ms: number): void => {
    for (const sleeper of [...sleepers]) if (sleeper.at_ms <= now_ms) sleeper.wake();
    for (const timer of [...marks]) {
      if (timer.at_ms > now_ms) continue;
      goOn(timer, now_ms);
      void timer.fire();
    }
  };

  const nextMoment = (): number => Math.min(...[...marks, ...sleepers].map(({ at_ms }) => at_ms));

  const look = (): void => {
    const now_ms = clock.now();
    // Set back: what was next may be far ahead now.
    if (now_ms < seen_ms) for (const timer of marks) startOver(timer, now_ms);
    seen_ms = now_ms;
    if (!living) fireDue(now_ms);
    arm();
  };
  const arm = (): void => {
    cancelLook();
    if (marks.size + sleepers.size === 0) return;
    const wait_ms = living ? LOOK_EVERY_MS : Math.max(0, Math.min(LOOK_EVERY_MS, nextMoment() - clock.now()));
    cancelLook = timers.after(wait_ms, look);
  };

  /** Waits until every run has ended that was called. */
  const settle = async (): Promise<void> => {
    // Code that was woken runs until it begins to work, or to wait again.
    await new Promise((resolve) => setImmediate(resolve));
    if (running === 0) return;
    await new Promise<void>((resolve) => {
      onIdle = resolve;
    });
  };

  const moveTo = (to_ms: number): void => {
    if (to_ms > clock.now()) clock.set(to_ms);
    seen_ms = clock.now();
  };

  const live = async (to_ms: number): Promise<void> => {
    // A job that is still at it would go past its mark.
    await settle();
    skipMarks([...marks], to_ms);
    for (let next_ms = nextMoment(); next_ms <= to_ms; next_ms = nextMoment()) {
      moveTo(next_ms);
      fireDue(next_ms);
      await settle();
    }
    moveTo(to_ms);
    for (const sleeper of [...sleepers]) if (sleeper.is_due) sleeper.wake();
    await settle();
  };

  return {
    start(pattern, fire, skipping = {}) {
      const cron = new Cron(pattern, { utcOffset: 0, paused: true });
      const timer: Timer = { cron, fire, skipping, at_ms: nextOf(cron, clock.now()), ahead_ms: [] };
      marks.add(timer);
      arm();
      return {
        next: () => (marks.has(timer) ? new Date(timer.at_ms) : null),
        stop: () => void marks.delete(timer),
      };
    },
    pause(ms, why) {
      if (ms <= 0) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper: Sleeper = {
          at_ms: clock.now() + ms,
          is_due: why === "spread",
          wake: () => {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        arm();
      });
    },
    watch(run) {
      running += 1;
      void run.finally(() => {
        running -= 1;
        if (running === 0) onIdle();
      });
    },
    async liveTo(to_ms) {
      while (living) await living;
      living = live(to_ms).finally(() => {
        living = null;
        arm();
      });
      await living;
    },
  };
}
