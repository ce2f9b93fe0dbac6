import type { Timers } from "../core/clock.ts";

/** What is further away waits for the job that comes round each minute. */
const HORIZON_MS = 60_000;
/** Also where something is overdue: what cannot be finished now is not tried in a loop. */
const WAIT_MS_LEAST = 250;

interface AlarmOptions {
  readonly timers: Timers;
  readonly now_ms: () => number;
  /** The next moment at which something is to be done; null where nothing is. */
  readonly nextDue: () => number | null;
  readonly ring: () => void;
}

/** Rings when something is due, so that nothing has to look every second where nothing is watched. */
export interface Alarm {
  /** Sets it to what is due next. */
  arm(): void;
  close(): void;
}

export function createAlarm({ timers, now_ms, nextDue, ring }: AlarmOptions): Alarm {
  let is_closed = false;
  let cancel = (): void => undefined;
  return {
    arm() {
      cancel();
      const due_ms = is_closed ? null : nextDue();
      if (due_ms === null || due_ms - now_ms() > HORIZON_MS) return;
      cancel = timers.after(Math.max(WAIT_MS_LEAST, due_ms - now_ms()), ring);
    },
    close() {
      is_closed = true;
      cancel();
    },
  };
}
