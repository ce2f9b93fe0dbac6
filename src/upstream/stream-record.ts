import type { Drained, Gap } from "../catalog/subscription.ts";
import type { Clock } from "../core/clock.ts";

/** What a stream brought since it was drained last, and when nothing was heard. */
export interface StreamRecord {
  /** It is listened to from now on; ends a gap. */
  hear(): void;
  /** It is not listened to from now on. */
  lose(why: string): void;
  keep(value: unknown): void;
  /** A message that cannot be read may have been one that counts. */
  refuse(): void;
  drain(): Drained<unknown>;
}

const GAPS_MAX = 1_000;

export function createStreamRecord(clock: Clock, buffer_max: number): StreamRecord {
  let messages: { readonly at_ms: number; readonly value: unknown }[] = [];
  let gaps: Gap[] = [];
  let listening_since_ms: number | null = null;
  /** Since when nothing is heard, and why; null while it is listened to. */
  let deaf: { readonly from_ms: number; readonly why: string } | null = {
    from_ms: clock.now(),
    why: "not connected yet",
  };

  const addGap = (gap: Gap): void => {
    // A clock that was set back makes no gap of negative length.
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
        // What goes on is told again next time from where this drain left off.
        deaf = { ...deaf, from_ms: now_ms };
      }
      const drained = { listening_since_ms, messages, gaps };
      messages = [];
      gaps = [];
      return drained;
    },
  };
}
