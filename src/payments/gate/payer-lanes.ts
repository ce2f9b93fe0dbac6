import type { Clock } from "../../core/clock.ts";
import { NodeError } from "../../core/errors.ts";
import { createLRU } from "../../core/lru.ts";

/**
 * A wallet can sign more than it holds, and what it signed is produced before it is paid. So few payments of a payer
 * are worked on at once: the next one is verified when those before have taken their money, and an empty wallet shows.
 * Three, and one more for every three that were paid in a row, so that who buys all day is not held back: what he could
 * have produced in vain stays below what he paid, and the first refused settlement takes him back to three.
 */
export interface PayerLanes {
  /**
   * Runs the work when fewer of its payer are under way than he may have.
   * @param known whether this node knows that the payer signed; else what a stranger sends in his name has a lane of
   * its own, by the address it came from.
   * @throws NodeError rate_limited when too many wait, or while the payer is slowed; else what the work throws.
   */
  run<T>(who: { payer: string; client: string; known: boolean }, work: () => Promise<T>): Promise<T>;
  /** A facilitator took the word of a payer whose signature this node could not check. */
  confirm(payer: string): ReleaseLane;
  /** A settlement of his was refused after the answer had been made: each one makes him wait longer. */
  noteFailed(payer: string): void;
  notePaid(payer: string): void;
}

export type ReleaseLane = () => void;

/** Unsettled payments of a payer nobody knows. */
export const UNSETTLED_MAX = 3;
/** Of one who paid for many. */
const UNSETTLED_OF_REGULAR_MAX = 32;
const PAID_FOR_ONE_MORE = 3;
const WAITING_MAX = 1_000;
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
  /** Payments in a row that were paid. */
  const paid = createLRU<number>(PAYERS_MAX);
  const failed = createLRU<{ times: number; until_ms: number }>(PAYERS_MAX);

  const limited = (retry_after_s: number, why: string): NodeError =>
    new NodeError("rate_limited", `${why} Nothing was charged.`, { retry_after_s });

  const assertNotSlowed = (payer: string): void => {
    const wait_ms = (failed.get(payer)?.until_ms ?? 0) - clock.now();
    // A clock that was set back must not keep a payer out.
    if (wait_ms <= 0 || wait_ms > SLOWED_MS_MAX) return;
    throw limited(Math.ceil(wait_ms / 1000), "Payments of this wallet were refused when they were settled.");
  };

  const maxOf = ({ payer, known }: { payer: string; known: boolean }): number =>
    known
      ? Math.min(UNSETTLED_OF_REGULAR_MAX, UNSETTLED_MAX + Math.floor((paid.get(payer) ?? 0) / PAID_FOR_ONE_MORE))
      : UNSETTLED_MAX;

  const leave = (name: string, lane: Lane, at_once_max: number): void => {
    lane.running -= 1;
    while (lane.running < at_once_max) {
      const next = lane.waiting.shift();
      if (!next) break;
      lane.running += 1;
      next();
    }
    if (lane.running === 0) lanes.delete(name);
  };

  return {
    async run({ payer, client, known }, work) {
      const who = { payer, known };
      assertNotSlowed(payer);
      const name = known ? payer : `${payer} ${client}`;
      const lane = lanes.get(name) ?? { running: 0, waiting: [] };
      lanes.set(name, lane);
      if (lane.running < maxOf(who) && lane.waiting.length === 0) lane.running += 1;
      else if (lane.waiting.length >= WAITING_MAX) throw limited(2, "Too many payments of this wallet at once.");
      else await new Promise<void>((start) => lane.waiting.push(start));
      try {
        assertNotSlowed(payer);
        return await work();
      } finally {
        leave(name, lane, maxOf(who));
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
      paid.delete(payer);
      const times = (failed.get(payer)?.times ?? 0) + 1;
      const slowed_ms = times <= FAILURES_FREE ? 0 : SLOWED_MS * 2 ** Math.min(times - FAILURES_FREE - 1, 20);
      failed.set(payer, { times, until_ms: clock.now() + Math.min(slowed_ms, SLOWED_MS_MAX) });
    },
    notePaid(payer) {
      paid.set(payer, (paid.get(payer) ?? 0) + 1);
      failed.delete(payer);
    },
  };
}
