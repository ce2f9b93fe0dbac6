import type { Drained, Gap } from "../catalog/subscription.ts";
import type { Clock } from "../core/clock.ts";

/** The messages of a stream since the last drain, and its gaps. */
export interface StreamRecord {
  /** The stream is connected from now on, which ends a gap. */
  hear(): void;
  /** The stream is disconnected from now on. */
  lose(why: string): void;
  keep(value: unknown): void;
  /** Records an unreadable message, which may have been an important one. */
  refuse(): void;
  drain(): Drained<unknown>;
}

const GAPS_MAX = 1_000;

export function createStreamRecord(clock: Clock, buffer_max: number): StreamRecord {
  let messages: { readonly at_ms: number; readonly value: unknown }[] = [];
  let gaps: Gap[] = [];
  let listening_since_ms: number | null = null;
  /** Start of the current gap, and its reason; null while connected. */
  let deaf: { readonly from_ms: number; readonly why: string } | null = {
    from_ms: clock.now(),
    why: "not connected yet",
  };

  const addGap = (gap: Gap): void => {
    // A clock set back must not make a gap of negative length.
    if (gap.to_ms > gap.from_ms) gaps = [...gaps, gap].slice(-GAPS_MAX);
  };
  return {
    hear() {
      const now_ms = clock.now();
      if (deaf) addGap({ ...deaf, to_ms: now_ms });
      deaf = null;
      listening_since_ms ??= now_ms;
    },
    lose(why) {
      deaf ??= { from_ms: clock.now(), why };
    },
    keep(value) {
      messages.push({ at_ms: clock.now(), value });
      const lost = messages.length > buffer_max ? messages.shift() : undefined;
      const [first] = messages;
      // Both ends within one millisecond are still a loss.
      if (lost && first) {
        addGap({
          from_ms: lost.at_ms,
          to_ms: Math.max(first.at_ms, lost.at_ms + 1),
          why: "more than the buffer holds",
        });
      }
    },
    refuse() {
      const now_ms = clock.now();
      addGap({ from_ms: now_ms, to_ms: now_ms + 1, why: "a message was refused" });
    },
    drain() {
      const now_ms = clock.now();
      if (deaf) {
        addGap({ ...deaf, to_ms: now_ms });
        // A gap that continues is reported again at the next drain, from the end of this one.
        deaf = { ...deaf, from_ms: now_ms };
      }
      const drained = { listening_since_ms, messages, gaps };
      messages = [];
      gaps = [];
      return drained;
    },
  };
}
