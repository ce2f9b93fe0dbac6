/** Time comes through here, so that tests and the sandbox can set it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

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
