import { NodeError } from "../core/errors.ts";

/** The caller that wants a slot. */
export interface SlotRequest {
  /** 0 = background, 1 = standard, … */
  readonly priority: number;
  /** Whose call it is: a key with its children, or where a payment came from. Within a class all have equal turns. */
  readonly holder: string;
  /** Who may have only so much under way at once; the holder unless given, null for what costs next to nothing. */
  readonly payer?: string | null;
}

/** Who may use the node's capacity to produce answers when there is not enough for all. */
export interface Slots {
  /**
   * Runs the work as soon as its class, and in it its holder, has a turn.
   * @throws NodeError overloaded when too many calls of this holder wait already; else what the work throws.
   */
  run<T>(place: SlotRequest, work: () => Promise<T>): Promise<T>;
  /** Other shares from now on. What is under way goes on; what waits keeps its place. */
  configure(settings: SlotSettings): void;
  readonly busy: number;
  readonly waiting: number;
}

export interface SlotSettings {
  /** Works done at once. */
  readonly slots: number;
  /** Turns a class gets while others wait too, by priority (0 = background, 1 = standard, …). All above 0. */
  readonly shares: readonly number[];
  /** Part of the slots that only the highest class may use. */
  readonly dedicated_share: number;
  /** Works of one payer done at once; no limit unless given. */
  readonly payer_max?: number;
}

/** The number of classes never changes. */
export interface SlotOptions extends SlotSettings {
  /** Calls that may wait, over all classes. */
  readonly queue_max: number;
  /** Of these, calls of one holder in one class. */
  readonly holder_queue_max: number;
}

interface QueuedSale {
  readonly payer: string | null;
  readonly start: () => void;
  readonly turnAway: () => void;
}

const overloaded = (): NodeError =>
  new NodeError("overloaded", "Too many paid calls at once. Nothing was charged.", { retry_after_s: 2 });

/** The calls of one class that wait: a queue for each holder, taken in turn, so that none waits behind another's. */
class ClassQueue {
  readonly #holders = new Map<string, QueuedSale[]>();
  size = 0;

  sizeOf(holder: string): number {
    return this.#holders.get(holder)?.length ?? 0;
  }

  push(holder: string, one: QueuedSale): void {
    const own = this.#holders.get(holder);
    if (own) own.push(one);
    else this.#holders.set(holder, [one]);
    this.size += 1;
  }

  /** Whether one of those that wait may start. */
  hasNext(mayStart: (payer: string | null) => boolean): boolean {
    for (const own of this.#holders.values()) if (own.some(({ payer }) => mayStart(payer))) return true;
    return false;
  }

  /** The next holder's oldest that may start; that holder goes to the end. */
  shift(mayStart: (payer: string | null) => boolean): QueuedSale | undefined {
    for (const [holder, own] of this.#holders) {
      const index = own.findIndex(({ payer }) => mayStart(payer));
      if (index < 0) continue;
      this.#holders.delete(holder);
      const [one] = own.splice(index, 1);
      if (own.length > 0) this.#holders.set(holder, own);
      this.size -= 1;
      return one;
    }
    return undefined;
  }

  /** Who has most waiting here. */
  longest(): { readonly holder: string; readonly length: number } {
    let found = { holder: "", length: 0 };
    for (const [holder, { length }] of this.#holders) if (length > found.length) found = { holder, length };
    return found;
  }

  /** Takes out the newest of a holder. */
  pop(holder: string): QueuedSale | undefined {
    const own = this.#holders.get(holder);
    const one = own?.pop();
    if (own?.length === 0) this.#holders.delete(holder);
    if (one) this.size -= 1;
    return one;
  }
}

/**
 * Shares out produce slots. A free node serves in order of arrival; on a full one each class with waiting calls gets
 * turns in proportion to its share (smooth weighted round robin), and in a class each holder in turn: the first are
 * served first, none starves, and who sends most waits longest. When the queue is full, the longest one gives way.
 */
export function createSlots(options: SlotOptions): Slots {
  const { queue_max, holder_queue_max } = options;
  let { slots, shares, payer_max = Number.POSITIVE_INFINITY } = options;
  /** Works under way, by payer. */
  const running = new Map<string, number>();
  const isFree = (payer: string | null): boolean => payer === null || (running.get(payer) ?? 0) < payer_max;
  const highest = shares.length - 1;
  const queues = shares.map(() => new ClassQueue());
  const credit = shares.map(() => 0);
  const countKept = ({ slots: all, dedicated_share }: SlotSettings): number =>
    Math.min(all - 1, Math.floor(all * dedicated_share));
  let kept = countKept(options);
  let busy = 0;
  let waiting = 0;

  const mayStart = (level: number): boolean => busy < (level === highest ? slots : slots - kept);

  /** Nginx's smooth weighted round robin: every waiting class earns its share, the richest is served and pays all. */
  const pick = (): number => {
    let total = 0;
    let best = -1;
    for (const [level, queue] of queues.entries()) {
      if (queue.size === 0 || !mayStart(level) || !queue.hasNext(isFree)) continue;
      const share = shares[level] ?? 1;
      total += share;
      credit[level] = (credit[level] ?? 0) + share;
      if (best < 0 || (credit[level] ?? 0) > (credit[best] ?? 0)) best = level;
    }
    if (best >= 0) credit[best] = (credit[best] ?? 0) - total;
    return best;
  };

  const begin = (payer: string | null): void => {
    busy += 1;
    if (payer !== null) running.set(payer, (running.get(payer) ?? 0) + 1);
  };
  const finish = (payer: string | null): void => {
    busy -= 1;
    if (payer === null) return;
    const left = (running.get(payer) ?? 1) - 1;
    if (left === 0) running.delete(payer);
    else running.set(payer, left);
  };

  const next = () => {
    for (let level = pick(); level >= 0; level = pick()) {
      const one = queues[level]?.shift(isFree);
      // A class with nothing left to serve keeps no claim on later turns.
      if (queues[level]?.size === 0) credit[level] = 0;
      if (!one) return;
      waiting -= 1;
      begin(one.payer);
      one.start();
    }
  };

  /** Makes room in a full queue at the cost of who has most waiting. @throws NodeError when that is the asker. */
  const makeRoom = (asking: number): void => {
    const found = queues.map((queue) => ({ queue, ...queue.longest() })).sort((a, b) => b.length - a.length)[0];
    const turned_away = found && found.length > asking + 1 ? found.queue.pop(found.holder) : undefined;
    if (!turned_away) throw overloaded();
    waiting -= 1;
    turned_away.turnAway();
  };

  const wait = (queue: ClassQueue, { holder, payer = holder }: SlotRequest): Promise<void> => {
    const own = queue.sizeOf(holder);
    if (own >= holder_queue_max) throw overloaded();
    if (waiting >= queue_max) makeRoom(own);
    waiting += 1;
    return new Promise<void>((start, reject) =>
      queue.push(holder, { payer, start, turnAway: () => reject(overloaded()) }),
    );
  };

  return {
    configure(wanted) {
      ({ slots, shares, payer_max = Number.POSITIVE_INFINITY } = wanted);
      kept = countKept(wanted);
      next();
    },
    async run(place, work) {
      const { priority, holder, payer = holder } = place;
      const level = Math.max(0, Math.min(highest, priority));
      const queue = queues[level];
      if (queue && (!mayStart(level) || !isFree(payer) || queue.hasNext(isFree))) await wait(queue, place);
      else begin(payer);
      try {
        return await work();
      } finally {
        finish(payer);
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
