import type { TSchema } from "@sinclair/typebox";
import type { ProviderDefinition } from "../catalog/provider.ts";
import type { AnswerFacts, Validators } from "../catalog/request.ts";
import type { DroppedRows } from "../catalog/rows.ts";
import { UpstreamError } from "../core/errors.ts";
import type { Address } from "./addresses.ts";
import { type AttemptResult, attemptCall, type Sink } from "./attempt.ts";
import type { FlightShared } from "./flight-shared.ts";
import type { QuotaSpent, Quotas } from "./quotas.ts";
import type { AnswerRule } from "./read-answer.ts";
import type { RequestBody } from "./request-body.ts";
import { getRetryWait, isRetryable } from "./retry.ts";
import type { CallRecord } from "./sources.ts";
import type { Patience } from "./throttle.ts";

/** Credentials that are made on demand, such as tokens. */
export interface Credentials {
  /** Headers to send; an UpstreamError if they cannot be obtained. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /** Called when the upstream refused them; returns true if new ones are possible, so that a retry makes sense. */
  refuse(): boolean;
}

export interface FlightRequest {
  readonly provider: ProviderDefinition;
  readonly addresses: readonly Address[];
  /** Path and query below an address, without the key. */
  readonly path: string;
  readonly chain: string | undefined;
  readonly body: RequestBody | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: Credentials | undefined;
  readonly rule: AnswerRule;
  readonly body_bytes_max: number;
  readonly openSink?: (() => Promise<Sink>) | undefined;
  /** Validators of the known version, with which a 304 counts as an answer. */
  readonly known: Validators | undefined;
  readonly timeout_ms: number;
  readonly rate_per_s: number;
  readonly quotas: Quotas;
  readonly cost: number;
  /** The longest wait for a turn that any waiting caller accepts; null once none waits, and then there is no retry. */
  readonly patience: () => Patience | null;
}

/** A good answer, the schema that it matched unchanged, and its call. */
export interface FoundFlight {
  readonly value: unknown;
  /** The first caller's reading of it, and the rows that could not be read. */
  readonly reading: unknown;
  readonly dropped?: DroppedRows | undefined;
  /** Undefined if it matched only without some of its rows. */
  readonly schema: TSchema | undefined;
  readonly facts: AnswerFacts;
  readonly call: CallRecord;
}

export type FlightOutcome =
  | ({ readonly ok: true; readonly unchanged: false } & FoundFlight)
  /** The known version is still current. */
  | { readonly ok: true; readonly unchanged: true; readonly call: CallRecord }
  | { readonly ok: false; readonly error: UpstreamError };

export interface FlightResult {
  /** The result of each address, including failed ones. */
  readonly calls: readonly CallRecord[];
  readonly outcome: FlightOutcome;
}

const FLIGHT_MAX_MS = 120_000;
const WAITS_MS = 4_000;

/** Addresses of one API share its limits, but the RPC addresses of a chain belong to different operators. */
const cooldownKey = (request: FlightRequest, address: Address): string =>
  request.chain === undefined ? request.provider.id : address.key;

interface FlightState {
  readonly started_ms: number;
  /** Time limit of the flight, without the time spent waiting for a turn. */
  readonly total_ms: number;
  /** Time spent waiting for turns so far, and the start of a current wait. */
  queued_ms: number;
  queued_at_ms: number | null;
  readonly signal: AbortSignal;
  readonly calls: Map<string, CallRecord>;
  /** Addresses for which a retry is useless. */
  readonly given_up: Set<string>;
  attempts: number;
  error: UpstreamError;
}

/** Remaining time of the flight, which a wait for a turn does not reduce. */
function getRemaining(shared: FlightShared, state: FlightState): number {
  const until_ms = state.queued_at_ms ?? shared.timers.elapsed_ms();
  return state.total_ms + state.queued_ms - (until_ms - state.started_ms);
}

/** The reason why an address must not be called now. */
function findBlock(shared: FlightShared, request: FlightRequest, address: Address): UpstreamError | undefined {
  const { id } = request.provider;
  const pause_ms = shared.cooldowns.remaining_ms(cooldownKey(request, address));
  if (pause_ms > 0) {
    const retry_after_s = Math.ceil(pause_ms / 1000);
    return new UpstreamError("upstream_rate_limited", id, `${id}: asked for a pause of another ${retry_after_s} s`, {
      retry_after_s,
    });
  }
  const breaker = shared.breakerOf(id, address);
  if (breaker.isReady()) return undefined;
  const retry_after_s = Math.max(1, Math.ceil(breaker.remaining_ms() / 1000));
  const message = `${id}: not called for ${retry_after_s} s after repeated failures`;
  return new UpstreamError("upstream_unavailable", id, message, { retry_after_s });
}

function tellAnswer({ onAnswer }: FlightShared, { provider, path, body, rule }: FlightRequest, value: unknown): void {
  if (rule.format === "json")
    onAnswer?.({ provider: provider.id, path, body: body?.name ?? "", schema: rule.schema, value });
}

/** Makes one attempt at one address, through its breaker, and updates cool-downs and records. */
async function callAddress(
  shared: FlightShared,
  request: FlightRequest,
  run: { address: Address; state: FlightState },
) {
  const { address, state } = run;
  const { provider, path } = request;
  const { timers } = shared;
  const credentials = (await request.credentials?.headers()) ?? {};
  const fetched_at_ms = shared.clock.now();
  const begun_ms = timers.elapsed_ms();
  state.attempts += 1;
  const result = await shared.breakerOf(provider.id, address).run<AttemptResult>(() =>
    attemptCall({
      provider,
      address,
      body: request.body,
      headers: request.headers,
      credentials,
      rule: request.rule,
      body_bytes_max: request.body_bytes_max,
      openSink: request.openSink,
      known: request.known,
      timeout_ms: Math.max(1, Math.floor(Math.min(request.timeout_ms, getRemaining(shared, state)))),
      signal: state.signal,
      fetch: shared.watchCall?.(shared.fetch, { provider, address, path, body: request.body }) ?? shared.fetch,
      clock: shared.clock,
      timers,
      user_agent: shared.userAgentOf(provider),
    }),
  );
  const latency_ms = Math.round(timers.elapsed_ms() - begun_ms);
  shared.onCall({ provider: provider.id, url: address.shown, attempt: state.attempts, latency_ms, result });
  const call = { url: address.shown, fetched_at_ms, ...(result.ok ? {} : { error: result.error.kind }) };
  state.calls.set(address.key, call);
  const key = cooldownKey(request, address);
  if (result.ok) {
    shared.cooldowns.clear(key);
    if (!result.unchanged) tellAnswer(shared, request, result.value);
  } else if (result.error.kind === "upstream_rate_limited") {
    const asked_s = result.error.retry_after_s;
    shared.cooldowns.start(key, asked_s === undefined ? undefined : asked_s * 1000);
  }
  return { result, call };
}

/** Waits for the call's turn; returns a reason if it must not be made. Checks before and after the wait. */
async function admit(shared: FlightShared, request: FlightRequest, run: { address: Address; state: FlightState }) {
  const { provider, chain, rate_per_s, patience } = request;
  const { state } = run;
  const block = findBlock(shared, request, run.address);
  if (block) return block;
  state.queued_at_ms = shared.timers.elapsed_ms();
  const wait_ms = await shared.throttle.take({
    // Every chain has its own addresses, and therefore its own rate.
    key: `${provider.id} ${chain ?? ""}`,
    rate_per_s,
    burst: provider.limits.burst,
    patience,
    signal: state.signal,
  });
  state.queued_ms += shared.timers.elapsed_ms() - state.queued_at_ms;
  state.queued_at_ms = null;
  if (wait_ms > 0) return overRate(provider.id, wait_ms);
  return findBlock(shared, request, run.address) ?? (await spendQuota(shared, request));
}

/** Counts the call against the publisher's quotas; returns a reason if one is used up. */
async function spendQuota(shared: FlightShared, request: FlightRequest): Promise<UpstreamError | undefined> {
  const { provider, quotas, cost, patience } = request;
  const asked = { provider: provider.id, quotas, cost, is_urgent: patience()?.is_urgent ?? false };
  let spent: QuotaSpent | null;
  try {
    spent = await shared.quotas.spendTogether(asked);
  } catch (cause) {
    const message = `${provider.id}: its quota cannot be counted now`;
    return new UpstreamError("upstream_unavailable", provider.id, message, { retry_after_s: 5, cause });
  }
  if (!spent) return undefined;
  const retry_after_s = Math.ceil(spent.wait_ms / 1000);
  const message = `${provider.id}: this ${spent.period}'s quota is spent`;
  return new UpstreamError("upstream_rate_limited", provider.id, message, { retry_after_s });
}

/** Calls the addresses in order, once each, until one answers. `retry`: the newest temporary failure. */
async function runRound(
  shared: FlightShared,
  request: FlightRequest,
  state: FlightState,
): Promise<{ found?: FlightOutcome; retry?: UpstreamError }> {
  const { provider, addresses } = request;
  const attempts_max = Math.max(provider.limits.attempts, addresses.length);
  let failed: { retry?: UpstreamError } = {};
  for (const address of addresses) {
    if (state.given_up.has(address.key) || state.attempts >= attempts_max) continue;
    const block = await admit(shared, request, { address, state });
    if (request.patience() === null || state.signal.aborted) return {};
    if (block) {
      if (state.attempts === 0) state.error = block;
      const call = { url: address.shown, fetched_at_ms: shared.clock.now(), error: block.kind };
      if (!state.calls.has(address.key)) state.calls.set(address.key, call);
      continue;
    }
    const { result, call } = await callAddress(shared, request, { address, state });
    if (result.ok) {
      if (result.unchanged) return { found: { ...result, call } };
      return { found: { ...result, schema: result.is_whole ? request.rule.schema : undefined, call } };
    }
    state.error = result.error;
    // "No such thing" counts as an answer: another address of the same API would say the same.
    if (result.error.kind === "upstream_not_found") return {};
    const is_worth_it = result.error.kind === "upstream_auth" && request.credentials?.refuse() === true;
    if (is_worth_it || isRetryable(result.error)) failed = { retry: result.error };
    else state.given_up.add(address.key);
  }
  return failed;
}

const overRate = (provider: string, wait_ms: number): UpstreamError =>
  new UpstreamError("upstream_rate_limited", provider, `${provider}: this node's own rate limit is reached`, {
    retry_after_s: Math.max(1, Math.ceil(wait_ms / 1000)),
    own_limit: true,
  });

const retryLimits = (shared: FlightShared, state: FlightState) => ({
  remaining_ms: getRemaining(shared, state),
  random: shared.random,
});

/** The longest sensible time of a flight: every attempt at its limit, plus the waits in between. */
const getFlightLimit = (request: FlightRequest): number => {
  const attempts = Math.max(request.provider.limits.attempts, request.addresses.length);
  return Math.min(FLIGHT_MAX_MS, attempts * (request.timeout_ms + WAITS_MS));
};

/**
 * One shared run of a request: addresses in failover order, then again after a pause if the failure was temporary. It
 * continues when one of its callers leaves, has its own time limit, and does not throw.
 */
export async function fly(shared: FlightShared, request: FlightRequest): Promise<FlightResult> {
  const { provider } = request;
  const abort = new AbortController();
  const total_ms = getFlightLimit(request);
  const state: FlightState = {
    started_ms: shared.timers.elapsed_ms(),
    total_ms,
    queued_ms: 0,
    queued_at_ms: null,
    signal: abort.signal,
    calls: new Map(),
    given_up: new Set(),
    attempts: 0,
    error: new UpstreamError("upstream_timeout", provider.id, `${provider.id}: nobody waits for the answer any more`),
  };
  const stop = () => {
    const left_ms = getRemaining(shared, state);
    if (left_ms > 0) cancel = shared.timers.after(left_ms, stop);
    else abort.abort();
  };
  let cancel = shared.timers.after(total_ms, stop);
  try {
    for (let round = 1; ; round++) {
      const { found, retry } = await runRound(shared, request, state);
      const calls = [...state.calls.values()];
      if (found) return { calls, outcome: found };
      const left = state.attempts < provider.limits.attempts && request.patience() !== null;
      const wait_ms = retry && left ? getRetryWait({ round, error: retry, ...retryLimits(shared, state) }) : null;
      if (wait_ms === null) return { calls, outcome: { ok: false, error: state.error } };
      await shared.sleep(wait_ms, abort.signal);
    }
  } catch (error) {
    // An aborted sleep, a breaker whose trial call another flight just took, or a fault of our own: none of them may
    // leave the callers waiting, or leave an address that was asked for out of the sources. Credentials that could not
    // be had say so themselves.
    const message = abort.signal.aborted ? `no answer within ${total_ms} ms` : "the call could not be made";
    const failed =
      error instanceof UpstreamError
        ? error
        : new UpstreamError(
            abort.signal.aborted ? "upstream_timeout" : "upstream_unavailable",
            provider.id,
            `${provider.id}: ${message}`,
            { cause: error },
          );
    const { kind } = failed;
    for (const { key, shown } of request.addresses) {
      if (state.calls.has(key)) continue;
      state.calls.set(key, { url: shown, fetched_at_ms: shared.clock.now(), error: kind });
    }
    return { calls: [...state.calls.values()], outcome: { ok: false, error: failed } };
  } finally {
    cancel();
  }
}
