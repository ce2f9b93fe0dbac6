import type { Timers } from "../core/clock.ts";

/** What is further away waits for the job that runs each minute. */
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
  /**
   * Something was set or changed: rings when it is due. An alarm that rings sooner stays, or watches that are set one
   * after another would put off the look at all others for as long as they come.
   */
  arm(): void;
  /** Everything was looked at: rings when the next thing is due, and no sooner. */
  rearm(): void;
  close(): void;
}

export function createAlarm({ timers, now_ms, nextDue, ring }: AlarmOptions): Alarm {
  let is_closed = false;
  let armed: { readonly rings_ms: number; readonly cancel: () => void } | null = null;

  const disarm = (): void => {
    armed?.cancel();
    armed = null;
  };
  const arm = (): void => {
    const due_ms = is_closed ? null : nextDue();
    if (due_ms === null || due_ms - now_ms() > HORIZON_MS) return;
    const wait_ms = Math.max(WAIT_MS_LEAST, due_ms - now_ms());
    const rings_ms = timers.elapsed_ms() + wait_ms;
    if (armed !== null && armed.rings_ms <= rings_ms) return;
    disarm();
    const cancel = timers.after(wait_ms, () => {
      armed = null;
      ring();
    });
    armed = { rings_ms, cancel };
  };
  return {
    arm,
    rearm() {
      disarm();
      arm();
    },
    close() {
      is_closed = true;
      disarm();
    },
  };
}
