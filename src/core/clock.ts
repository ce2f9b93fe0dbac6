/** Time comes through here, so that tests and the sandbox can set it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/**
 * Lengths of time: time limits, pauses, how long something took. Apart from the clock, because a clock that is set
 * must neither end a call that is under way nor keep it waiting.
 */
export interface Timers {
  /** Milliseconds since some moment, never back: only differences of it mean something. */
  elapsed_ms(): number;
  /** Calls `fire` once, when `ms` have passed. The returned function cancels it; after it fired, that does nothing. */
  after(ms: number, fire: () => void): () => void;
}

/** The longest wait setTimeout takes; it ends a longer one at once. 24 days. */
const WAIT_MS_MAX = 2 ** 31 - 1;

/** Timers of this machine; tests give their own. */
export const systemTimers: Timers = {
  elapsed_ms: () => performance.now(),
  after(ms, fire) {
    const timer = setTimeout(fire, Math.min(ms, WAIT_MS_MAX));
    return () => clearTimeout(timer);
  },
};

/**
 * Waits for a length of time.
 * @throws the signal's reason as soon as the signal is aborted.
 */
export function sleep(timers: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = timers.after(ms, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** A time limit as a signal. */
export interface TimeLimit {
  /** Aborted when the time is up, or when the signal it was given is. */
  readonly signal: AbortSignal;
  /** Whether the time was up; false when it was the given signal that ended it. */
  isUp(): boolean;
  /** To be called when the work is done: lets go of the timer. Does not abort. */
  end(): void;
}

/** A timer that fires later than this was kept waiting by this thread's own work. */
const OWN_LAG_MS = 50;

/**
 * A limit on how long some work may take, within an outer signal's limit. If this thread itself was blocked when the
 * time ran out, that time is given back once: an answer may have arrived that the thread has not read yet.
 */
export function startTimeLimit(timers: Timers, ms: number, outer?: AbortSignal): TimeLimit {
  const abort = new AbortController();
  const began_ms = timers.elapsed_ms();
  let up = false;
  const end = () => {
    up = true;
    abort.abort(new DOMException(`not done within ${ms} ms`, "TimeoutError"));
  };
  let cancel = timers.after(ms, () => {
    const lag_ms = timers.elapsed_ms() - began_ms - ms;
    if (lag_ms <= OWN_LAG_MS) end();
    else cancel = timers.after(Math.min(lag_ms, ms), end);
  });
  const stop = () => abort.abort(outer?.reason);
  if (outer?.aborted) stop();
  outer?.addEventListener("abort", stop, { once: true });
  return {
    signal: abort.signal,
    isUp: () => up,
    end() {
      cancel();
      outer?.removeEventListener("abort", stop);
    },
  };
}

export interface SettableClock extends Clock {
  /** Jumps to an absolute time in ms; time goes on from there. */
  set(now_ms: number): void;
  advance(ms: number): void;
}

/** A clock that runs with the system clock plus an offset. */
export function createSettableClock(): SettableClock {
  let offset = 0;
  const now = () => Date.now() + offset;
  return {
    now,
    set: (to) => {
      offset = to - Date.now();
    },
    advance: (ms) => {
      offset += ms;
    },
  };
}

/** ISO 8601 in UTC without milliseconds when they are zero. */
export const renderTime = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");
