import type { Clock } from "../core/clock.ts";

const FAILURES_TO_OPEN = 5;
const HALF_OPEN_AFTER_MS = 10_000;

export type BreakerState = "closed" | "open" | "half_open";

/** The part of a call's result that a breaker needs. */
interface CallResult {
  readonly ok: boolean;
  /** Whether the address is at fault. */
  readonly counts?: boolean;
}

/** Stops calls to an address that fails repeatedly; after 10 s one call at a time may try again. */
export interface Breaker {
  state(): BreakerState;
  /** Time since which it has not been closed, across failed trials; null while it is closed. */
  shut_since_ms(): number | null;
  /** Milliseconds until a trial call is allowed; 0 unless the breaker is open. */
  remaining_ms(): number;
  /** Whether a call may be made now; false also while another call is the trial. */
  isReady(): boolean;
  /** @throws Error while the breaker is open. A call that comes during a trial waits for its outcome. */
  run<T extends CallResult>(work: () => Promise<T>): Promise<T>;
}

/** `onChange` is called at each change of state. Results with `counts: true` are the failures that open it. */
export function createBreaker(clock: Clock, onChange: (state: BreakerState) => void): Breaker {
  let failures_in_a_row = 0;
  /** Null while closed. */
  let opened_at_ms: number | null = null;
  let shut_since_ms: number | null = null;
  let trial: Promise<void> | null = null;

  const open = () => {
    opened_at_ms = clock.now();
    shut_since_ms ??= opened_at_ms;
    onChange("open");
  };
  const close = () => {
    failures_in_a_row = 0;
    opened_at_ms = null;
    shut_since_ms = null;
    onChange("closed");
  };
  const remaining_ms = (): number => {
    if (opened_at_ms === null || trial !== null) return 0;
    const waited_ms = clock.now() - opened_at_ms;
    // A clock set back must not keep the breaker open longer.
    return waited_ms < 0 ? 0 : Math.max(0, HALF_OPEN_AFTER_MS - waited_ms);
  };
  const state = (): BreakerState => {
    if (opened_at_ms === null) return "closed";
    return remaining_ms() > 0 ? "open" : "half_open";
  };
  const count = ({ counts }: CallResult) => {
    // The result of a call sent before the breaker opened is no news.
    if (opened_at_ms !== null) return;
    failures_in_a_row = counts === true ? failures_in_a_row + 1 : 0;
    if (failures_in_a_row >= FAILURES_TO_OPEN) open();
  };

  async function tryOut<T extends CallResult>(work: () => Promise<T>): Promise<T> {
    const decided = Promise.withResolvers<void>();
    trial = decided.promise;
    onChange("half_open");
    let has_failed = false;
    try {
      const result = await work();
      has_failed = result.counts === true;
      return result;
    } finally {
      // An exception is our own fault, not the address's.
      trial = null;
      if (has_failed) open();
      else close();
      decided.resolve();
    }
  }

  async function run<T extends CallResult>(work: () => Promise<T>): Promise<T> {
    while (trial !== null) await trial;
    if (opened_at_ms !== null) {
      if (remaining_ms() > 0) throw new Error("the address is shut off after repeated failures");
      return tryOut(work);
    }
    const result = await work();
    count(result);
    return result;
  }

  return {
    state,
    shut_since_ms: () => shut_since_ms,
    remaining_ms,
    isReady: () => trial === null && state() !== "open",
    run,
  };
}
