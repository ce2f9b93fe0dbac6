import type { Timers } from "../core/clock.ts";
import { NodeError } from "../core/errors.ts";
import type { Model } from "./model.ts";

export interface ModelLimit {
  readonly timers: Timers;
  /** Time models may still take of the run. */
  readonly left_ms: () => number;
}

/**
 * A model that is never waited for beyond its time, whatever takes it: a turn, the host, a second attempt. Its
 * completions then throw NodeError deadline_exceeded.
 */
export function limitModel(model: Model, { timers, left_ms }: ModelLimit): Model {
  return {
    async complete(request) {
      const late = Promise.withResolvers<never>();
      const cancel = timers.after(Math.max(0, left_ms()), () => {
        const message = "No model answered in time. Nothing was charged.";
        late.reject(new NodeError("deadline_exceeded", message, { retry_after_s: 5 }));
      });
      const asked = model.complete(request);
      // The loser of the race must not surface as an unhandled rejection.
      asked.catch(() => undefined);
      try {
        return await Promise.race([asked, late.promise]);
      } finally {
        cancel();
      }
    },
  };
}
