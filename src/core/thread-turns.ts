import { systemTimers, type Timers } from "./clock.ts";
import { NodeError } from "./errors.ts";

/** Whose work it is: work that a buyer waits for goes first. */
export type TurnClass = "buyer" | "patient";

/** Gives out this thread's time to work that holds it, so that everything else that waits for it is served between. */
export interface ThreadTurns {
  /**
   * Does work when it is its turn: at once while the thread has room. `may_refuse`: unless false, see below.
   * @throws NodeError overloaded when more waits than can be done in time; else what the work throws.
   */
  run<T>(whose: TurnClass, work: () => T, more?: { readonly may_refuse: boolean }): Promise<T>;
  /** Pieces that wait, those of buyers among them, how many were turned away, and the longest one so far, ms. */
  status(): {
    readonly waiting: number;
    readonly buyers: number;
    readonly refused: number;
    readonly longest_ms: number;
  };
}

/** Between two pieces the thread is everybody else's for as long as the first one took, at most this. */
const ROOM_MS_MAX = 20;
/** Patient work waits for buyers no longer than this. */
const PATIENCE_MS = 1_000;
/** More than this would not be done within a call's own time limit. */
const WAITING_MAX = 200;

interface QueuedTurn {
  readonly since_ms: number;
  readonly start: () => void;
}

export function createThreadTurns(timers: Timers = systemTimers): ThreadTurns {
  const queues = { buyer: [] as QueuedTurn[], patient: [] as QueuedTurn[] };
  let free_at_ms = Number.NEGATIVE_INFINITY;
  let is_set = false;
  let refused = 0;
  let longest_ms = 0;

  const doNow = <T>(work: () => T): T => {
    const began_ms = timers.elapsed_ms();
    try {
      return work();
    } finally {
      const ended_ms = timers.elapsed_ms();
      const took_ms = ended_ms - began_ms;
      longest_ms = Math.max(longest_ms, took_ms);
      free_at_ms = ended_ms + Math.min(ROOM_MS_MAX, took_ms);
    }
  };
  const takeNext = (): QueuedTurn | undefined => {
    const [oldest] = queues.patient;
    const is_due = oldest !== undefined && timers.elapsed_ms() - oldest.since_ms > PATIENCE_MS;
    return (is_due ? undefined : queues.buyer.shift()) ?? queues.patient.shift();
  };
  const schedule = (): void => {
    if (is_set || queues.buyer.length + queues.patient.length === 0) return;
    is_set = true;
    // A timer, and not a microtask: what came in over the network meanwhile goes first.
    timers.after(Math.max(0, free_at_ms - timers.elapsed_ms()), () => {
      is_set = false;
      takeNext()?.start();
      schedule();
    });
  };

  return {
    async run(whose, work, { may_refuse } = { may_refuse: true }) {
      const waiting = queues.buyer.length + queues.patient.length;
      if (waiting === 0 && timers.elapsed_ms() >= free_at_ms) return doNow(work);
      if (may_refuse && waiting >= WAITING_MAX) {
        refused += 1;
        throw new NodeError("overloaded", "More is to be computed than can be. Nothing was charged.", {
          retry_after_s: 2,
          own_limit: true,
        });
      }
      return new Promise((resolve, reject) => {
        const start = () => {
          try {
            resolve(doNow(work));
          } catch (error) {
            reject(error);
          }
        };
        queues[whose].push({ since_ms: timers.elapsed_ms(), start });
        schedule();
      });
    },
    status: () => {
      const { length: buyers } = queues.buyer;
      return { waiting: buyers + queues.patient.length, buyers, refused, longest_ms };
    },
  };
}

/** Of this thread: there is only one. */
export const thread_turns = createThreadTurns();
