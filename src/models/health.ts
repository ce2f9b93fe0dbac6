/** Whether a model is asked, by what became of the calls before. */
export interface Health {
  /** Takes the right to call: always while closed, once for a probe when the pause is over. */
  tryCall(): boolean;
  succeed(): void;
  /** Counts a failure of the model's. */
  fail(): void;
  /** A request it refused: three different ones in a row are the model's fault. */
  refuse(): void;
  /** Ends a call that said nothing about the model. */
  pass(): void;
  /** Shuts it off for a stated time; null: until the node starts again. */
  shut(for_ms: number | null): void;
  status(): HealthStatus;
}

export interface HealthStatus {
  readonly state: "closed" | "open" | "half_open";
  /** Until it is tried again; null: not before the node starts again. */
  readonly remaining_ms: number | null;
}

const FAILURES_IN_A_ROW = 3;
const REFUSALS_IN_A_ROW = 3;
const WINDOW_CALLS = 20;
const WINDOW_MS = 60_000;
const PAUSE_MS = 30_000;
const PAUSE_MS_MAX = 900_000;

/**
 * Breaker of one model: opens after 3 failures in a row, or when half of the last 20 calls within a minute failed; the
 * pause doubles from 30 seconds to 15 minutes; then one probe goes through.
 * @param elapsed_ms never goes back: a clock that is set must not keep a model shut.
 */
export function createHealth(elapsed_ms: () => number): Health {
  let in_a_row = 0;
  let refused = 0;
  let recent: { readonly at_ms: number; readonly ok: boolean }[] = [];
  let open_until_ms: number | null = null;
  let pause_ms = PAUSE_MS;
  let is_probing = false;

  const open = (for_ms: number) => {
    open_until_ms = elapsed_ms() + for_ms;
    is_probing = false;
  };
  const trip = () => {
    open(pause_ms);
    pause_ms = Math.min(PAUSE_MS_MAX, pause_ms * 2);
    in_a_row = 0;
    refused = 0;
    recent = [];
  };
  const note = (ok: boolean) => {
    const now_ms = elapsed_ms();
    recent = [...recent, { at_ms: now_ms, ok }].filter(({ at_ms }) => now_ms - at_ms < WINDOW_MS).slice(-WINDOW_CALLS);
  };

  return {
    tryCall() {
      if (open_until_ms === null) return true;
      if (is_probing || elapsed_ms() < open_until_ms) return false;
      is_probing = true;
      return true;
    },
    succeed() {
      note(true);
      in_a_row = 0;
      refused = 0;
      pause_ms = PAUSE_MS;
      open_until_ms = null;
      is_probing = false;
    },
    fail() {
      note(false);
      in_a_row += 1;
      const half_failed = recent.length === WINDOW_CALLS && recent.filter(({ ok }) => !ok).length * 2 >= WINDOW_CALLS;
      if (is_probing || in_a_row >= FAILURES_IN_A_ROW || half_failed) trip();
    },
    refuse() {
      refused += 1;
      if (is_probing || refused >= REFUSALS_IN_A_ROW) trip();
    },
    pass() {
      is_probing = false;
    },
    shut: (for_ms) => open(for_ms ?? Number.POSITIVE_INFINITY),
    status() {
      if (open_until_ms === null) return { state: "closed", remaining_ms: 0 };
      const left_ms = open_until_ms - elapsed_ms();
      if (left_ms <= 0) return { state: "half_open", remaining_ms: 0 };
      return { state: "open", remaining_ms: Number.isFinite(left_ms) ? left_ms : null };
    },
  };
}
