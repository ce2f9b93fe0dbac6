import { NodeError } from "../core/errors.ts";

/** Who may use the node's capacity to produce answers when there is not enough for all. */
export interface Slots {
  /**
   * Runs the work as soon as its class has a turn.
   * @throws NodeError overloaded when too many calls wait already; else what the work throws.
   */
  run<T>(priority: number, work: () => Promise<T>): Promise<T>;
  readonly busy: number;
  readonly waiting: number;
}

export interface SlotOptions {
  /** Works done at once. */
  readonly slots: number;
  /** Calls that may wait, over all classes. */
  readonly queue_max: number;
  /** Turns a class gets while others wait too, by priority (0 = background, 1 = standard, …). All above 0. */
  readonly shares: readonly number[];
  /** Part of the slots that only the highest class may use. */
  readonly dedicated_share: number;
}

interface Waiting {
  readonly start: () => void;
}

/**
 * Shares out produce slots. A free node serves in order of arrival; on a full one each class with waiting calls gets
 * turns in proportion to its share (smooth weighted round robin), so the first are served first and none starves.
 */
export function createSlots({ slots, queue_max, shares, dedicated_share }: SlotOptions): Slots {
  const highest = shares.length - 1;
  const queues: Waiting[][] = shares.map(() => []);
  const credit = shares.map(() => 0);
  const kept = Math.min(slots - 1, Math.floor(slots * dedicated_share));
  let busy = 0;
  let waiting = 0;

  const mayStart = (level: number): boolean => busy < (level === highest ? slots : slots - kept);

  /** Nginx's smooth weighted round robin: every waiting class earns its share, the richest is served and pays all. */
  const pick = (): number => {
    let total = 0;
    let best = -1;
    for (const [level, queue] of queues.entries()) {
      if (queue.length === 0 || !mayStart(level)) continue;
      const share = shares[level] ?? 1;
      total += share;
      credit[level] = (credit[level] ?? 0) + share;
      if (best < 0 || (credit[level] ?? 0) > (credit[best] ?? 0)) best = level;
    }
    if (best >= 0) credit[best] = (credit[best] ?? 0) - total;
    return best;
  };

  const next = () => {
    for (let level = pick(); level >= 0; level = pick()) {
      const one = queues[level]?.shift();
      // A class with nothing left to serve keeps no claim on later turns.
      if (queues[level]?.length === 0) credit[level] = 0;
      if (!one) return;
      waiting -= 1;
      busy += 1;
      one.start();
    }
  };

  return {
    async run(priority, work) {
      const level = Math.max(0, Math.min(highest, priority));
      if (!mayStart(level) || (queues[level]?.length ?? 0) > 0) {
        if (waiting >= queue_max) {
          throw new NodeError("overloaded", "Too many paid calls at once. Nothing was charged.", { retry_after_s: 2 });
        }
        waiting += 1;
        await new Promise<void>((start) => queues[level]?.push({ start }));
      } else busy += 1;
      try {
        return await work();
      } finally {
        busy -= 1;
        next();
      }
    },
    get busy() {
      return busy;
    },
    get waiting() {
      return waiting;
    },
  };
}
