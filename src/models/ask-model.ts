import type { CompletionRequest } from "../catalog/model.ts";
import { type Clock, sleep, type Timers } from "../core/clock.ts";
import { callModel, type FetchModel } from "./call-model.ts";
import type { Dialect, DialectFault } from "./dialect.ts";
import type { ModelSettings } from "./model-settings.ts";
import type { CallFailure, CallOutcome, FailedCompletion } from "./read-completion.ts";

/** What asking one model takes. */
export interface ModelAsking {
  readonly settings: ModelSettings;
  readonly dialect: Dialect;
  readonly fetch: FetchModel;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly user_agent: string;
  /** From 0 to 1; for pauses only. */
  readonly random: () => number;
}

export interface AskingTime {
  readonly signal: AbortSignal;
  readonly left_ms: () => number;
  /** Calls it may make; those in other words are not counted. */
  readonly calls_max: number;
}

export interface AskedModel {
  readonly outcome: CallOutcome;
  /** All calls that were made. */
  readonly calls: number;
}

const DIALECT_FAULTS: readonly CallFailure[] = ["tokens_field", "temperature", "format"];
const isDialectFault = (kind: CallOutcome["kind"]): kind is DialectFault =>
  DIALECT_FAULTS.some((fault) => fault === kind);

/** A pause that is worth waiting for. */
const PAUSE_MS_MAX = 2_000;
/** A host that reads its weights is asked again after so long. */
const LOADING_PAUSE_MS = 2_000;
const LOADING_PAUSES_MAX = 20;
const RESET_PAUSE_MS = 200;
/** What a call needs at least. */
const CALL_MS_MIN = 500;

/**
 * Asks one model: in other words where it does not know those it was asked in, once more after a short pause it asked
 * for or a connection that was cut off, and for as long as its host still loads it.
 */
export async function askModel(asking: ModelAsking, request: CompletionRequest, time: AskingTime): Promise<AskedModel> {
  const { settings, dialect, timers } = asking;
  let calls = 0;
  let counted = 0;
  let pauses = 0;
  let has_waited = false;
  const call = () => {
    calls += 1;
    const timeout_ms = Math.max(1, Math.floor(Math.min(settings.timeout_ms, time.left_ms())));
    const { fetch, user_agent, clock } = asking;
    const body = dialect.render(settings.model, request);
    return callModel({ settings, body, timeout_ms, signal: time.signal, fetch, timers, clock, user_agent });
  };
  /** How long to wait before the same call; null when it is not made again. */
  const getPause = (outcome: FailedCompletion): number | null => {
    if (outcome.kind === "loading" && pauses < LOADING_PAUSES_MAX) {
      pauses += 1;
      counted -= 1;
      return LOADING_PAUSE_MS;
    }
    if (has_waited) return null;
    if (outcome.kind === "reset") return RESET_PAUSE_MS * (1 + 1.5 * asking.random());
    const { retry_after_ms = Number.POSITIVE_INFINITY } = outcome;
    return outcome.kind === "limited" && retry_after_ms <= PAUSE_MS_MAX ? retry_after_ms : null;
  };

  for (;;) {
    const outcome = await call();
    if (outcome.kind === "ok" || outcome.kind === "wordless") return { outcome, calls };
    if (isDialectFault(outcome.kind)) {
      if (time.left_ms() > CALL_MS_MIN && dialect.learn(outcome.kind, request)) continue;
      return { outcome: { ...outcome, kind: "bad_request" }, calls };
    }
    counted += 1;
    const pause_ms = getPause(outcome);
    const has_time = pause_ms !== null && time.left_ms() > pause_ms + CALL_MS_MIN;
    if (!has_time || counted >= time.calls_max || time.signal.aborted) return { outcome, calls };
    if (outcome.kind !== "loading") has_waited = true;
    try {
      await sleep(timers, pause_ms, time.signal);
    } catch {
      // The run's time was up while it waited.
      return { outcome, calls };
    }
  }
}
