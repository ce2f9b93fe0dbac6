import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";
import { NodeError } from "../../core/errors.ts";

/**
 * A wallet can sign more than it holds, and what it signed is produced before it is paid. So few payments of a payer
 * are worked on at once: the next one is verified when those before have taken their money, and an empty wallet shows.
 */
export interface PayerLanes {
  /**
   * Runs the work when fewer than three of its payer are under way.
   * @param known whether this node knows that the payer signed; else what a stranger sends in his name has a lane of
   * its own, by the address it came from.
   * @throws NodeError rate_limited when too many wait, or while the payer is slowed; else what the work throws.
   */
  run<T>(who: { payer: string; client: string; known: boolean }, work: () => Promise<T>): Promise<T>;
  /** A facilitator took the word of a payer whose signature this node could not check. */
  confirm(payer: string): Release;
  /** A settlement of his was refused after the answer had been made: each one makes him wait longer. */
  noteFailed(payer: string): void;
  notePaid(payer: string): void;
}

export type Release = () => void;

/** Unsettled payments of a payer. */
export const UNSETTLED_MAX = 3;
const WAITING_MAX = 100;
const FAILURES_FREE = 2;
const SLOWED_MS = 2_000;
const SLOWED_MS_MAX = 600_000;
const PAYERS_MAX = 50_000;

interface Lane {
  running: number;
  readonly waiting: (() => void)[];
}

export function createPayerLanes({ clock }: { readonly clock: Clock }): PayerLanes {
  const lanes = new Map<string, Lane>();
  const confirmed = new Map<string, number>();
  const failed = new LRUCache<string, { times: number; until_ms: number }>({ max: PAYERS_MAX });

  const limited = (retry_after_s: number, why: string): NodeError =>
    new NodeError("rate_limited", `${why} Nothing was charged.`, { retry_after_s });

  const assertNotSlowed = (payer: string): void => {
    const wait_ms = (failed.get(payer)?.until_ms ?? 0) - clock.now();
    // A clock that was set back must not keep a payer out.
    if (wait_ms <= 0 || wait_ms > SLOWED_MS_MAX) return;
    throw limited(Math.ceil(wait_ms / 1000), "Payments of this wallet were refused when they were settled.");
  };

  const leave = (name: string, lane: Lane): void => {
    const next = lane.waiting.shift();
    if (next) next();
    else lane.running -= 1;
    if (lane.running === 0) lanes.delete(name);
  };

  return {
    async run({ payer, client, known }, work) {
      assertNotSlowed(payer);
      const name = known ? payer : `${payer} ${client}`;
      const lane = lanes.get(name) ?? { running: 0, waiting: [] };
      lanes.set(name, lane);
      if (lane.running < UNSETTLED_MAX) lane.running += 1;
      else if (lane.waiting.length >= WAITING_MAX) throw limited(2, "Too many payments of this wallet at once.");
      else await new Promise<void>((start) => lane.waiting.push(start));
      try {
        assertNotSlowed(payer);
        return await work();
      } finally {
        leave(name, lane);
      }
    },
    confirm(payer) {
      const times = confirmed.get(payer) ?? 0;
      if (times >= UNSETTLED_MAX) throw limited(2, "Too many payments of this wallet at once.");
      confirmed.set(payer, times + 1);
      return () => {
        const left = (confirmed.get(payer) ?? 1) - 1;
        if (left > 0) confirmed.set(payer, left);
        else confirmed.delete(payer);
      };
    },
    noteFailed(payer) {
      const times = (failed.get(payer)?.times ?? 0) + 1;
      const slowed_ms = times <= FAILURES_FREE ? 0 : SLOWED_MS * 2 ** Math.min(times - FAILURES_FREE - 1, 20);
      failed.set(payer, { times, until_ms: clock.now() + Math.min(slowed_ms, SLOWED_MS_MAX) });
    },
    notePaid: (payer) => void failed.delete(payer),
  };
}
