import { sleep, systemTimers, type Timers } from "./clock.ts";

/** Lets sales go before what a start does for itself. */
export interface SalesFirst {
  /** A sale is being made from now on. */
  begin(): void;
  end(): void;
  /** Waits, inside a sale, for something that the start does: the start does not pause for that sale meanwhile. */
  standBack<T>(waiting: Promise<T>): Promise<T>;
  /** The start's own turn: resolves when no sale is being made, under steady sales after a while. */
  turn(): Promise<void>;
}

/** Many sales at once must not keep a start from ending. */
const STEP_WAITS_MS = 200;

export function createSalesFirst(timers: Timers = systemTimers): SalesFirst {
  let making = 0;
  let onQuiet = Promise.withResolvers<void>();
  const end = (): void => {
    making -= 1;
    if (making > 0) return;
    onQuiet.resolve();
    onQuiet = Promise.withResolvers();
  };
  const begin = (): void => {
    making += 1;
  };
  return {
    begin,
    end,
    async standBack(waiting) {
      end();
      try {
        return await waiting;
      } finally {
        begin();
      }
    },
    async turn() {
      // Whatever came in meanwhile is seen first.
      await new Promise((resolve) => setImmediate(resolve));
      if (making === 0) return;
      const patience = new AbortController();
      await Promise.race([onQuiet.promise, sleep(timers, STEP_WAITS_MS, patience.signal).catch(() => undefined)]);
      patience.abort();
    },
  };
}
