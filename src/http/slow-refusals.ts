import type { Clock, Timers } from "../core/clock.ts";
import { createLRU } from "../core/lru.ts";
import { createTokenBucket, type TokenBucket } from "../core/token-bucket.ts";

/**
 * A caller that goes on after being refused for its rate costs the node refusals: as many as its
 * connections carry, and most of a core. So they are held back: a refusal costs no work while it waits, only a timer
 * and its connection, and a connection that waits sends nothing.
 */
export interface SlowRefusals {
  /**
   * Notes that a network got a 429.
   * @param network as limits count it; null where it is not limited, and never held back.
   * @returns what the answer has to wait for; null when it goes at once. Never rejects.
   */
  note(network: string | null, request: Pick<Request, "signal">): Promise<void> | null;
  /** Answers that wait. */
  readonly held: number;
  /** Lets all that wait go, and holds none back from now on. */
  close(): void;
}

export interface SlowRefusalOptions {
  readonly clock: Clock;
  readonly timers: Timers;
}

/** How many refusals a network gets at once, and how many a second, before its refusals are held back. */
const AT_ONCE = 120;
const PER_S = 10;
const WAIT_MS = 500;
/** More do not wait, for each holds its connection and what is to be sent. */
const HELD_MAX = 1_000;
const NETWORKS_MAX = 50_000;

export function createSlowRefusals({ clock, timers }: SlowRefusalOptions): SlowRefusals {
  const told = createLRU<TokenBucket>(NETWORKS_MAX);
  const waiting = new Set<() => void>();
  let is_closed = false;

  const isFlood = (network: string): boolean => {
    let bucket = told.get(network);
    if (!bucket) {
      bucket = createTokenBucket({ rate_per_s: PER_S, burst: AT_ONCE, clock });
      told.set(network, bucket);
    }
    return !bucket.take();
  };

  const wait = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const end = () => {
        cancel();
        signal.removeEventListener("abort", end);
        waiting.delete(end);
        resolve();
      };
      const cancel = timers.after(WAIT_MS, end);
      waiting.add(end);
      // Nobody waits for it any more.
      signal.addEventListener("abort", end, { once: true });
    });

  return {
    note(network, request) {
      if (network === null || is_closed || !isFlood(network) || waiting.size >= HELD_MAX) return null;
      return request.signal.aborted ? null : wait(request.signal);
    },
    get held() {
      return waiting.size;
    },
    close() {
      is_closed = true;
      for (const end of waiting) end();
    },
  };
}
