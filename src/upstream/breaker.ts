import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhenResult, type IBackoffFactory } from "cockatiel";
import type { Clock } from "../core/clock.ts";

const FAILURES_TO_OPEN = 5;
const HALF_OPEN_AFTER_MS = 10_000;

export type BreakerState = "closed" | "open" | "half_open";

/** Stops calls to an address that keeps failing; after 10 s one call at a time may try again. */
export interface Breaker {
  state(): BreakerState;
  /** Since when it has not been closed, through all trials that failed; null while it is. */
  shut_since_ms(): number | null;
  /** Milliseconds until a trial call is allowed; 0 unless the breaker is open. */
  remaining_ms(): number;
  /** Whether a call may be made now. False also while another call is the trial. */
  isReady(): boolean;
  run<T extends { readonly ok: boolean; readonly counts?: boolean }>(work: () => Promise<T>): Promise<T>;
}

/** `onChange` is told about each change of state. Results with `counts: true` are the failures that open it. */
export function createBreaker(clock: Clock, onChange: (state: BreakerState) => void): Breaker {
  let opened_at = 0;
  const remaining_ms = () => {
    const waited_ms = clock.now() - opened_at;
    // A clock set back must not keep the breaker open for longer.
    return waited_ms < 0 ? 0 : Math.max(0, HALF_OPEN_AFTER_MS - waited_ms);
  };
  // The library compares this duration with the system clock; answering "for ever" or "no time" makes ours decide.
  const backoff: IBackoffFactory<unknown> = {
    next() {
      opened_at = clock.now();
      return {
        ...backoff,
        get duration() {
          return remaining_ms() > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
        },
      };
    },
  };
  const counts = (result: unknown) =>
    typeof result === "object" && result !== null && "counts" in result && result.counts === true;
  const policy = circuitBreaker(handleWhenResult(counts), {
    halfOpenAfter: backoff,
    breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
  });
  const state = (): BreakerState => {
    if (policy.state === CircuitState.Closed) return "closed";
    return policy.state === CircuitState.Open && remaining_ms() > 0 ? "open" : "half_open";
  };
  let shut_since_ms: number | null = null;
  policy.onStateChange(() => {
    shut_since_ms = policy.state === CircuitState.Closed ? null : (shut_since_ms ?? clock.now());
    onChange(state());
  });
  return {
    shut_since_ms: () => shut_since_ms,
    state,
    remaining_ms: () => (state() === "open" ? remaining_ms() : 0),
    isReady: () => state() !== "open" && policy.state !== CircuitState.HalfOpen,
    run: (work) => policy.execute(work),
  };
}
