/**
 * Upstreams that all take the same time, without waiting for it: calls made at one moment are let through together, and
 * each such round stands for one latency. What is asked in sequence takes several.
 */
export interface LatencyGate {
  readonly pass: () => Promise<void>;
  /** Rounds so far. */
  rounds(): number;
  calls(): number;
}

/** Calls come within microtasks of each other; this many turns of the event loop without one end a round. */
const QUIET_TURNS = 6;

export function createLatencyGate(): LatencyGate {
  const counts = { rounds: 0, calls: 0 };
  let waiting: (() => void)[] = [];
  let is_watched = false;

  const watch = async () => {
    is_watched = true;
    for (let seen = 0, quiet = 0; quiet < QUIET_TURNS; ) {
      await Bun.sleep(0);
      quiet = waiting.length === seen ? quiet + 1 : 0;
      seen = waiting.length;
    }
    is_watched = false;
    counts.rounds += 1;
    for (const letThrough of waiting.splice(0)) letThrough();
  };

  return {
    pass: () =>
      new Promise((resolve) => {
        counts.calls += 1;
        waiting = [...waiting, resolve];
        if (!is_watched) void watch();
      }),
    rounds: () => counts.rounds,
    calls: () => counts.calls,
  };
}
