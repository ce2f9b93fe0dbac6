import type { Clock } from "../../core/clock.ts";
import { createLRU } from "../../core/lru.ts";

const CHANNELS_MAX = 10_000;
/** A channel that is short is asked for again so often while somebody pays from it. */
const ASKED_EVERY_MS = 3_000;
/** No chain we are paid on undoes what is older, and no endpoint lags so long: then it is gone. */
const GONE_AFTER_MS = 3_600_000;
const LOOKS_MIN = 3;

interface Shortfall {
  readonly held: bigint;
  readonly since_ms: number;
  readonly looks: number;
  readonly asked_at_ms: number;
}

/**
 * Channels in which the chain has less than the books, though nothing was taken out: the deposit's block was undone, or
 * an endpoint lags. What is not there pays for nothing, so that vouchers beyond it wait; and nothing is booked before
 * the chain has said so for an hour.
 */
export interface Shortfalls {
  /** The chain says that so much is there. @returns how often it has said too little, and whether it stays so. */
  note(channel: string, held: bigint): { readonly looks: number; readonly is_gone: boolean };
  /** The chain has all of it. */
  clear(channel: string): void;
  /**
   * What the chain holds of a channel that is short; null for all others. The chain is asked again, by `ask`.
   * @param needed what vouchers are to reach; @param all what the books think that there is
   */
  heldOf(
    channel: string,
    wanted: { readonly needed: bigint; readonly all: bigint },
    ask: () => Promise<{ readonly balance: bigint } | null>,
  ): Promise<bigint | null>;
}

export function createShortfalls(clock: Pick<Clock, "now">): Shortfalls {
  const known = createLRU<Shortfall>(CHANNELS_MAX);
  return {
    note(channel, held) {
      const now_ms = clock.now();
      const before = known.get(channel);
      const since_ms = before === undefined || before.since_ms > now_ms ? now_ms : before.since_ms;
      const looks = (before?.looks ?? 0) + 1;
      known.set(channel, { held, since_ms, looks, asked_at_ms: now_ms });
      return { looks, is_gone: looks >= LOOKS_MIN && now_ms - since_ms >= GONE_AFTER_MS };
    },
    clear: (channel) => void known.delete(channel),
    async heldOf(channel, { needed, all }, ask) {
      const short = known.get(channel);
      if (short === undefined) return null;
      const since_ms = clock.now() - short.asked_at_ms;
      if (needed <= short.held || (since_ms >= 0 && since_ms < ASKED_EVERY_MS)) return short.held;
      known.set(channel, { ...short, asked_at_ms: clock.now() });
      const held = (await ask())?.balance ?? short.held;
      if (held >= all) {
        known.delete(channel);
        return null;
      }
      known.set(channel, { ...short, held, asked_at_ms: clock.now() });
      return held;
    },
  };
}
