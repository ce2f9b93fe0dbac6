import type { Clock } from "../core/clock.ts";

const FIRST_MS = 60_000;
const MAX_MS = 15 * 60_000;

/** Remembers who asked for a pause, so that no call is sent before the pause ends. */
export interface Cooldowns {
  /** Milliseconds until `key` may be called again; 0 if it may be called now. */
  remaining_ms(key: string): number;
  /** Notes a 429: pauses for the requested time, else for a minute, doubling up to 15 minutes while it repeats. */
  start(key: string, asked_ms: number | undefined): number;
  /** Notes a success: the next pause starts at a minute again. */
  clear(key: string): void;
}

export function createCooldowns(clock: Clock): Cooldowns {
  const pauses = new Map<string, { from_ms: number; length_ms: number; repeats: number }>();
  return {
    remaining_ms(key) {
      const pause = pauses.get(key);
      const waited_ms = pause ? clock.now() - pause.from_ms : 0;
      // A clock set back must not prolong a pause.
      return pause && waited_ms >= 0 ? Math.max(0, pause.length_ms - waited_ms) : 0;
    },
    start(key, asked_ms) {
      const repeats = (pauses.get(key)?.repeats ?? -1) + 1;
      const length_ms = Math.min(MAX_MS, asked_ms ?? FIRST_MS * 2 ** Math.min(repeats, 10));
      pauses.set(key, { from_ms: clock.now(), length_ms, repeats });
      return length_ms;
    },
    clear(key) {
      pauses.delete(key);
    },
  };
}
