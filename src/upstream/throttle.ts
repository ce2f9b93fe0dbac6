import type { Timers } from "../core/clock.ts";
import { createTokenBucket, type TokenBucket } from "../core/token-bucket.ts";

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** A call's patience for its turn. */
export interface Patience {
  /** Whether a buyer waits for it, so that it goes before the node's own jobs. */
  readonly is_urgent: boolean;
  readonly wait_max_ms: number;
}

export interface ThrottleRequest {
  readonly key: string;
  readonly rate_per_s: number;
  readonly burst: number;
  /** Read again at every turn, because a buyer may join a job's call; null once no caller waits. */
  readonly patience: () => Patience | null;
  readonly signal: AbortSignal;
}

/** Keeps calls below a provider's rate: a wait in turn, buyers before jobs, or a refusal. */
export interface Throttle {
  /** 0 if the call may be made now (perhaps after a wait), else the milliseconds until it makes sense. */
  take(request: ThrottleRequest): Promise<number>;
}

interface Waiter {
  readonly patience: () => Patience | null;
  readonly answer: (wait_ms: number) => void;
}

interface Lane {
  readonly bucket: TokenBucket;
  readonly rate_per_s: number;
  /** Tokens that jobs leave for buyers. */
  readonly reserve: number;
  /** Waiting calls in order of arrival. */
  readonly waiting: Set<Waiter>;
  is_served: boolean;
}

const NEVER = new AbortController().signal;
/** The result of a wait without remaining callers. */
const LEFT_MS = 1;

const isUrgent = ({ patience }: Waiter): boolean => patience()?.is_urgent === true;

/** Whether a token may be taken; a job may take one only if enough remain for buyers. */
const takeToken = ({ bucket, reserve }: Lane, is_urgent: boolean): boolean =>
  (is_urgent || bucket.remaining() > reserve) && bucket.take();

/** Milliseconds until the next token, at least one, so that no loop spins. */
const nextToken = ({ bucket, rate_per_s }: Lane, is_urgent: boolean): number =>
  Math.max(1, is_urgent ? bucket.wait_ms() : Math.max(bucket.wait_ms(), Math.ceil(1000 / rate_per_s)));

/** The wait of a call that arrives now. */
function expectWait(lane: Lane, is_urgent: boolean): number {
  const ahead = is_urgent ? [...lane.waiting].filter(isUrgent).length : lane.waiting.size;
  return nextToken(lane, is_urgent) + (ahead * 1000) / lane.rate_per_s;
}

export function createThrottle({ elapsed_ms }: Pick<Timers, "elapsed_ms">, sleep: Sleep): Throttle {
  const lanes = new Map<string, Lane>();
  // Uses elapsed time, so that a clock that stops or is set back delays no call.
  const clock = { now: elapsed_ms };

  const getLane = ({ key, rate_per_s, burst }: ThrottleRequest): Lane => {
    // The rate is part of the key, so that a reloaded configuration gets a new bucket.
    const name = `${key} ${rate_per_s} ${burst}`;
    const size = Math.max(1, burst);
    const lane = lanes.get(name) ?? {
      bucket: createTokenBucket({ rate_per_s, burst: size, clock }),
      rate_per_s,
      reserve: Math.floor(size / 2),
      waiting: new Set(),
      is_served: false,
    };
    lanes.set(name, lane);
    return lane;
  };

  /** Hands out tokens as they become available, until no call waits. */
  const serve = async (lane: Lane): Promise<void> => {
    if (lane.is_served) return;
    lane.is_served = true;
    try {
      while (lane.waiting.size > 0) {
        for (const waiter of lane.waiting) if (waiter.patience() === null) waiter.answer(LEFT_MS);
        const list = [...lane.waiting];
        const next = list.find(isUrgent) ?? list[0];
        if (!next) return;
        const is_urgent = isUrgent(next);
        if (takeToken(lane, is_urgent)) next.answer(0);
        else await sleep(nextToken(lane, is_urgent), NEVER);
      }
    } finally {
      lane.is_served = false;
    }
  };

  return {
    take(request) {
      const lane = getLane(request);
      const patience = request.patience();
      if (!patience) return Promise.resolve(LEFT_MS);
      const { is_urgent, wait_max_ms } = patience;
      const is_free = is_urgent ? ![...lane.waiting].some(isUrgent) : lane.waiting.size === 0;
      if (is_free && takeToken(lane, is_urgent)) return Promise.resolve(0);
      const expected_ms = expectWait(lane, is_urgent);
      if (expected_ms > wait_max_ms || request.signal.aborted) return Promise.resolve(expected_ms);
      return new Promise((resolve) => {
        const leave = () => waiter.answer(expected_ms);
        const waiter: Waiter = {
          patience: request.patience,
          answer(wait_ms) {
            lane.waiting.delete(waiter);
            request.signal.removeEventListener("abort", leave);
            resolve(wait_ms);
          },
        };
        request.signal.addEventListener("abort", leave, { once: true });
        lane.waiting.add(waiter);
        // A failing pause must not leave a call waiting for ever.
        serve(lane).catch(() => {
          for (const one of lane.waiting) one.answer(LEFT_MS);
        });
      });
    },
  };
}
