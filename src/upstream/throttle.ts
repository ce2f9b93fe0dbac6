import type { Clock } from "../core/clock.ts";
import { createTokenBucket, type TokenBucket } from "../core/token-bucket.ts";

/** Longer queues than this are refused, so that the product can fail over instead. */
const WAIT_MAX_MS = 2_000;

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface ThrottleRequest {
  readonly key: string;
  readonly rate_per_s: number;
  readonly burst: number;
  readonly remaining_ms: number;
  readonly signal: AbortSignal;
}

/** Keeps calls below a provider's rate: a short wait in turn, or a refusal. */
export interface Throttle {
  /** 0 when the call may be made now (perhaps after a wait), else the milliseconds after which it makes sense. */
  take(request: ThrottleRequest): Promise<number>;
}

interface Lane {
  readonly bucket: TokenBucket;
  waiting: number;
  /** Settles when the last caller in the queue has its turn; never rejects. */
  tail: Promise<unknown>;
}

export function createThrottle(clock: Clock, sleep: Sleep): Throttle {
  const lanes = new Map<string, Lane>();

  const getLane = ({ key, rate_per_s, burst }: ThrottleRequest): Lane => {
    // The rate is part of the name: a reloaded configuration gets a new bucket.
    const name = `${key} ${rate_per_s} ${burst}`;
    const lane = lanes.get(name) ?? {
      bucket: createTokenBucket({ rate_per_s, burst: Math.max(1, burst), clock }),
      waiting: 0,
      tail: Promise.resolve(),
    };
    lanes.set(name, lane);
    return lane;
  };

  /** Waits for a token; false when the time is up. */
  const waitForToken = async (lane: Lane, signal: AbortSignal): Promise<boolean> => {
    for (let slept_ms = 0; slept_ms <= WAIT_MAX_MS && !signal.aborted; ) {
      if (lane.bucket.take()) return true;
      const wait_ms = Math.max(1, lane.bucket.wait_ms());
      await sleep(wait_ms, signal);
      slept_ms += wait_ms;
    }
    return false;
  };

  return {
    async take(request) {
      const lane = getLane(request);
      if (lane.waiting === 0 && lane.bucket.take()) return 0;
      const expected_ms = Math.max(1, lane.bucket.wait_ms()) + (lane.waiting * 1000) / request.rate_per_s;
      if (expected_ms > Math.min(WAIT_MAX_MS, request.remaining_ms)) return expected_ms;
      lane.waiting += 1;
      const turn = lane.tail
        .then(() => waitForToken(lane, request.signal))
        .catch(() => false)
        .finally(() => {
          lane.waiting -= 1;
        });
      lane.tail = turn;
      return (await turn) ? 0 : Math.max(1, lane.bucket.wait_ms());
    },
  };
}
