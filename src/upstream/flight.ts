import type { TSchema } from "@sinclair/typebox";
import type { ProviderDefinition } from "../catalog/provider.ts";
import { UpstreamError } from "../core/errors.ts";
import type { Address } from "./addresses.ts";
import { attemptCall } from "./attempt.ts";
import type { Expectation } from "./check-value.ts";
import type { FlightShared } from "./flight-shared.ts";
import { getRetryWait, isRetryable } from "./retry.ts";
import type { CallRecord } from "./sources.ts";

export interface FlightRequest {
  readonly provider: ProviderDefinition;
  readonly addresses: readonly Address[];
  readonly chain: string | undefined;
  readonly body: string | undefined;
  readonly format: "json" | "text";
  readonly expectation: Expectation;
  readonly timeout_ms: number;
  readonly rate_per_s: number;
  /** Whether anybody still waits for the answer; without, nothing is repeated. */
  readonly isWanted: () => boolean;
}

/** A checked answer, the schema it matched, and the call that brought it. */
export interface Found {
  readonly value: unknown;
  readonly schema: TSchema;
  readonly chars: number;
  readonly call: CallRecord;
}

export interface FlightResult {
  /** What came of each address, the failed ones included. */
  readonly calls: readonly CallRecord[];
  readonly outcome: ({ readonly ok: true } & Found) | { readonly ok: false; readonly error: UpstreamError };
}

const FLIGHT_MAX_MS = 120_000;
const WAITS_MS = 4_000;

/** Addresses of one API share its limits; the RPC addresses of a chain belong to different people. */
const cooldownKey = (request: FlightRequest, address: Address): string =>
  request.chain === undefined ? request.provider.id : address.key;

interface FlightState {
  readonly started_ms: number;
  readonly total_ms: number;
  readonly signal: AbortSignal;
  readonly calls: Map<string, CallRecord>;
  /** Addresses whose answer would not change. */
  readonly given_up: Set<string>;
  attempts: number;
  error: UpstreamError;
}

const getRemaining = (state: FlightState): number => state.total_ms - (performance.now() - state.started_ms);

/** Why an address must not be called now, without calling it. */
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

/** One attempt at one address, through its breaker; keeps the books of cool-downs and records. */
async function callAddress(
  shared: FlightShared,
  request: FlightRequest,
  run: { address: Address; state: FlightState },
) {
  const { address, state } = run;
  const { provider } = request;
  const fetched_at_ms = shared.clock.now();
  const begun_ms = performance.now();
  state.attempts += 1;
  const result = await shared.breakerOf(provider.id, address).run(() =>
    attemptCall({
      provider,
      address,
      body: request.body,
      format: request.format,
      expectation: request.expectation,
      timeout_ms: Math.max(1, Math.floor(Math.min(request.timeout_ms, getRemaining(state)))),
      signal: state.signal,
      fetch: shared.fetch,
      clock: shared.clock,
      user_agent: shared.user_agent,
    }),
  );
  const latency_ms = Math.round(performance.now() - begun_ms);
  shared.onCall({ provider: provider.id, url: address.shown, attempt: state.attempts, latency_ms, result });
  const call = { url: address.shown, fetched_at_ms, ...(result.ok ? {} : { error: result.error.kind }) };
  state.calls.set(address.key, call);
  const key = cooldownKey(request, address);
  if (result.ok) shared.cooldowns.clear(key);
  else if (result.error.kind === "upstream_rate_limited") {
    const asked_s = result.error.retry_after_s;
    shared.cooldowns.start(key, asked_s === undefined ? undefined : asked_s * 1000);
  }
  return { result, call };
}

/** Takes the call's turn; the reason when it must not be made now. The wait is why both sides of it are checked. */
async function admit(shared: FlightShared, request: FlightRequest, run: { address: Address; state: FlightState }) {
  const { provider, chain, rate_per_s } = request;
  const block = findBlock(shared, request, run.address);
  if (block) return block;
  const wait_ms = await shared.throttle.take({
    // Every chain has its own addresses, hence its own rate.
    key: `${provider.id} ${chain ?? ""}`,
    rate_per_s,
    burst: provider.limits.burst,
    remaining_ms: getRemaining(run.state),
    signal: run.state.signal,
  });
  return wait_ms > 0 ? overRate(provider.id, wait_ms) : findBlock(shared, request, run.address);
}

/** Calls the addresses in order, once each, until one answers. `retry`: the newest failure that may pass. */
async function runRound(
  shared: FlightShared,
  request: FlightRequest,
  state: FlightState,
): Promise<{ found?: Found; retry?: UpstreamError }> {
  const { provider, addresses } = request;
  const attempts_max = Math.max(provider.limits.attempts, addresses.length);
  let failed: { retry?: UpstreamError } = {};
  for (const address of addresses) {
    if (state.given_up.has(address.key) || state.attempts >= attempts_max) continue;
    const block = await admit(shared, request, { address, state });
    if (!request.isWanted() || state.signal.aborted) return {};
    if (block) {
      if (state.attempts === 0) state.error = block;
      const call = { url: address.shown, fetched_at_ms: shared.clock.now(), error: block.kind };
      if (!state.calls.has(address.key)) state.calls.set(address.key, call);
      continue;
    }
    const { result, call } = await callAddress(shared, request, { address, state });
    if (result.ok)
      return { found: { value: result.value, schema: request.expectation.schema, chars: result.chars, call } };
    state.error = result.error;
    // "No such thing" is an answer: another address of the same API would say the same.
    if (result.error.kind === "upstream_not_found") return {};
    if (isRetryable(result.error)) failed = { retry: result.error };
    else state.given_up.add(address.key);
  }
  return failed;
}

const overRate = (provider: string, wait_ms: number): UpstreamError =>
  new UpstreamError("upstream_rate_limited", provider, `${provider}: this node's own rate limit is reached`, {
    retry_after_s: Math.max(1, Math.ceil(wait_ms / 1000)),
  });

const retryLimits = (shared: FlightShared, state: FlightState) => ({
  remaining_ms: getRemaining(state),
  random: shared.random,
});

/** The longest a flight can sensibly take: every attempt at its limit, plus the waits between them. */
const getFlightLimit = (request: FlightRequest): number => {
  const attempts = Math.max(request.provider.limits.attempts, request.addresses.length);
  return Math.min(FLIGHT_MAX_MS, attempts * (request.timeout_ms + WAITS_MS));
};

/**
 * One shared run of a request: addresses in failover order, then the same again after a pause for what may pass. It
 * does not end because one of the callers left, has a time limit of its own, and does not throw.
 */
export async function fly(shared: FlightShared, request: FlightRequest): Promise<FlightResult> {
  const { provider } = request;
  const abort = new AbortController();
  const total_ms = getFlightLimit(request);
  const timer = setTimeout(() => abort.abort(), total_ms);
  const state: FlightState = {
    started_ms: performance.now(),
    total_ms,
    signal: abort.signal,
    calls: new Map(),
    given_up: new Set(),
    attempts: 0,
    error: new UpstreamError("upstream_timeout", provider.id, `${provider.id}: nobody waits for the answer any more`),
  };
  try {
    for (let round = 1; ; round++) {
      const { found, retry } = await runRound(shared, request, state);
      const calls = [...state.calls.values()];
      if (found) return { calls, outcome: { ok: true, ...found } };
      const left = state.attempts < provider.limits.attempts && request.isWanted();
      const wait_ms = retry && left ? getRetryWait({ round, error: retry, ...retryLimits(shared, state) }) : null;
      if (wait_ms === null) return { calls, outcome: { ok: false, error: state.error } };
      await shared.sleep(wait_ms, abort.signal);
    }
  } catch (error) {
    // An aborted sleep, a breaker whose trial call another flight just took, or a fault of our own: none of them may
    // leave the callers waiting, or leave an address that was asked for out of the sources.
    const message = abort.signal.aborted ? `no answer within ${total_ms} ms` : "the call could not be made";
    const kind = abort.signal.aborted ? "upstream_timeout" : "upstream_unavailable";
    const failed = new UpstreamError(kind, provider.id, `${provider.id}: ${message}`, { cause: error });
    for (const { key, shown } of request.addresses) {
      if (state.calls.has(key)) continue;
      state.calls.set(key, { url: shown, fetched_at_ms: shared.clock.now(), error: kind });
    }
    return { calls: [...state.calls.values()], outcome: { ok: false, error: failed } };
  } finally {
    clearTimeout(timer);
  }
}
