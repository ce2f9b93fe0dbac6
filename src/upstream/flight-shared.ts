import type { ProviderDefinition } from "../catalog/provider.ts";
import type { DroppedRows } from "../catalog/rows.ts";
import { type Clock, sleep as sleepOn, systemTimers, type Timers } from "../core/clock.ts";
import type { SpendTogether } from "../core/shared-budget.ts";
import type { Address } from "./addresses.ts";
import type { AttemptResult, Fetch } from "./attempt.ts";
import { type Breaker, type BreakerState, createBreaker } from "./breaker.ts";
import { type Cooldowns, createCooldowns } from "./cooldown.ts";
import type { UpstreamEvent } from "./events.ts";
import { createStatusBoard, type ProviderStatus } from "./provider-status.ts";
import { createQuotaBook, type QuotaBook, type QuotaStore } from "./quotas.ts";
import type { RequestBody } from "./request-body.ts";
import type { SeenAnswer } from "./shape-watch.ts";
import { createThrottle, type Sleep, type Throttle } from "./throttle.ts";

export interface CallReport {
  readonly provider: string;
  /** Redacted. */
  readonly url: string;
  /** Number of the attempt within one flight, from 1. */
  readonly attempt: number;
  readonly latency_ms: number;
  readonly result: AttemptResult;
}

/** A call to send. */
export interface SentCall {
  readonly provider: ProviderDefinition;
  readonly address: Address;
  /** Path and query below the address, without the key. */
  readonly path: string;
  readonly body: RequestBody | undefined;
}

/** A wrapper between calls and the network, for code that records answers. */
export type WatchCall = (fetch: Fetch, asked: SentCall) => Fetch;

/** The state shared by all calls of the node. */
export interface FlightShared {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly fetch: Fetch;
  readonly watchCall?: WatchCall | undefined;
  /** Called with each good raw JSON answer. */
  readonly onAnswer?: ((answer: SeenAnswer) => void) | undefined;
  readonly userAgentOf: (provider: ProviderDefinition) => string;
  readonly random: () => number;
  readonly sleep: Sleep;
  readonly throttle: Throttle;
  readonly quotas: QuotaBook;
  readonly cooldowns: Cooldowns;
  readonly breakerOf: (provider: string, address: Address) => Breaker;
  readonly onCall: (report: CallReport) => void;
  /** Called once for each answer that lost rows. */
  readonly onDropped: (provider: string, url: string, dropped: DroppedRows) => void;
}

export interface FlightSharedOptions {
  readonly clock: Clock;
  /** Timers of time limits and pauses. */
  readonly timers?: Timers;
  readonly version: string;
  /** Contact address for publishers. */
  readonly contact?: string;
  readonly quota_store?: QuotaStore;
  /** Set if several nodes share the same quotas. */
  readonly spendTogether?: SpendTogether;
  readonly fetch?: Fetch;
  readonly watchCall?: WatchCall;
  readonly onAnswer?: (answer: SeenAnswer) => void;
  readonly random?: () => number;
  readonly sleep?: Sleep;
  readonly log?: (event: UpstreamEvent) => void;
}

function renderCall({ result, ...call }: CallReport): UpstreamEvent {
  if (result.ok) return { event: "upstream_call", ...call, ok: true };
  const { error, status } = result;
  const what = { error: error.kind, message: error.message, ...(status === undefined ? {} : { status }) };
  return { event: "upstream_call", ...call, ok: false, ...what };
}

/** The status of called providers. */
interface Board {
  status(): ProviderStatus[];
  /** Time since which all addresses of a provider are blocked; null if one is not, or none was called. */
  shutSince(provider: string): number | null;
}

/** Creates the shared state of calls: limits, pauses, breakers and their records. */
export function createFlightShared(options: FlightSharedOptions): FlightShared & Board {
  const { clock, log, timers = systemTimers, contact } = options;
  const sleep: Sleep = options.sleep ?? ((ms, signal) => sleepOn(timers, ms, signal));
  const user_agent = `intel-node/${options.version}`;
  const board = createStatusBoard(clock);
  // Bounded by the configuration: one per provider and configured address.
  const breakers = new Map<string, Map<string, Breaker>>();

  const breakerOf = (provider: string, address: Address): Breaker => {
    const own = breakers.get(provider) ?? new Map<string, Breaker>();
    breakers.set(provider, own);
    const known = own.get(address.key);
    if (known) return known;
    const { shown } = address;
    const onChange = (state: BreakerState) => log?.({ event: "upstream_breaker", provider, url: shown, state });
    const breaker = createBreaker(clock, onChange);
    own.set(address.key, breaker);
    return breaker;
  };

  const shutSince = (provider: string): number | null => {
    let since_ms: number | null = null;
    for (const breaker of breakers.get(provider)?.values() ?? []) {
      const own_ms = breaker.shut_since_ms();
      if (own_ms === null) return null;
      since_ms = Math.max(since_ms ?? own_ms, own_ms);
    }
    return since_ms;
  };

  return {
    shutSince,
    clock,
    timers,
    fetch: options.fetch ?? fetch,
    watchCall: options.watchCall,
    onAnswer: options.onAnswer,
    // The operator's contact is sent only to publishers that require one.
    userAgentOf: (provider) => (provider.contact && contact ? `${user_agent} (${contact})` : user_agent),
    random: options.random ?? Math.random,
    sleep,
    throttle: createThrottle(timers, sleep),
    quotas: createQuotaBook(clock, options.quota_store, options.spendTogether),
    cooldowns: createCooldowns(clock),
    breakerOf,
    onCall(report) {
      board.note(report.provider, report.latency_ms, report.result.ok ? undefined : report.result.error);
      log?.(renderCall(report));
    },
    onDropped(provider, url, { dropped, of, fault }) {
      board.noteDropped(provider, dropped);
      log?.({ event: "upstream_rows", provider, url, dropped, of, fault });
    },
    status: () => board.list((provider) => [...(breakers.get(provider)?.values() ?? [])].map((one) => one.state())),
  };
}
