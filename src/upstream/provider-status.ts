import { type Clock, renderTime } from "../core/clock.ts";
import type { UpstreamError } from "../core/errors.ts";
import type { BreakerState } from "./breaker.ts";

/** Results of the calls to one provider since the node started. */
export interface ProviderStatus {
  readonly provider: string;
  /** Whether the last call succeeded; true before the first one. */
  readonly ok: boolean;
  /** Number of sent calls, including repetitions but not answers from the cache. */
  readonly calls: number;
  readonly failures: number;
  /** Number of unreadable rows left out of accepted answers. */
  readonly rows_dropped: number;
  /** Time spent waiting for its answers, s. */
  readonly duration_s: number;
  /** "<kind>: <message>" of the newest failure. */
  readonly last_error?: string;
  /** ISO 8601. */
  readonly last_ok_at?: string;
  /** "open" while all used addresses are blocked, "half_open" while any is on trial. */
  readonly breaker: BreakerState;
}

interface Counts {
  ok: boolean;
  calls: number;
  failures: number;
  rows_dropped: number;
  duration_s: number;
  last_error: string | undefined;
  last_ok_ms: number | undefined;
}

export interface StatusBoard {
  /** Records one call and its duration; `error` if it failed. */
  note(provider: string, duration_ms: number, error?: UpstreamError): void;
  /** Records rows left out of the answer to a call recorded before. */
  noteDropped(provider: string, rows: number): void;
  list(breakersOf: (provider: string) => readonly BreakerState[]): ProviderStatus[];
}

const summarise = (states: readonly BreakerState[]): BreakerState => {
  if (states.includes("half_open")) return "half_open";
  return states.length > 0 && states.every((state) => state === "open") ? "open" : "closed";
};

export function createStatusBoard(clock: Clock): StatusBoard {
  const board = new Map<string, Counts>();
  return {
    note(provider, duration_ms, error) {
      const counts = board.get(provider) ?? {
        ok: true,
        calls: 0,
        failures: 0,
        rows_dropped: 0,
        duration_s: 0,
        last_error: undefined,
        last_ok_ms: undefined,
      };
      board.set(provider, counts);
      counts.calls += 1;
      counts.duration_s += duration_ms / 1000;
      counts.ok = error === undefined;
      if (error === undefined) {
        counts.last_ok_ms = clock.now();
        return;
      }
      counts.failures += 1;
      counts.last_error = `${error.kind}: ${error.message}`;
    },
    noteDropped(provider, rows) {
      const counts = board.get(provider);
      if (counts) counts.rows_dropped += rows;
    },
    list: (breakersOf) =>
      [...board].map(([provider, { ok, calls, failures, rows_dropped, duration_s, last_error, last_ok_ms }]) => ({
        provider,
        ok,
        calls,
        failures,
        rows_dropped,
        duration_s,
        ...(last_error === undefined ? {} : { last_error }),
        ...(last_ok_ms === undefined ? {} : { last_ok_at: renderTime(last_ok_ms) }),
        breaker: summarise(breakersOf(provider)),
      })),
  };
}
