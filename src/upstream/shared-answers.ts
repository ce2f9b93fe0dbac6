import { LRUCache } from "lru-cache";
import type { Validators } from "../catalog/request.ts";
import type { DroppedRows } from "../catalog/rows.ts";
import type { Clock } from "../core/clock.ts";
import type { UpstreamError } from "../core/errors.ts";
import { createSingleFlight } from "../core/single-flight.ts";
import type { FlightResult, FoundFlight } from "./flight.ts";
import { type Made, readValue, type ValueReading } from "./read-answer.ts";
import type { CallRecord } from "./sources.ts";
import type { Patience } from "./throttle.ts";

export interface AnswerRequest {
  /** Equal for requests whose answer can be shared. */
  readonly key: string;
  readonly reading: ValueReading;
  /** Largest age of a kept answer; 0 = none is kept. */
  readonly ttl_ms: number;
  /** Whether an older answer is kept, to be revalidated. */
  readonly revalidate: boolean;
  /** Signal of this caller; it does not end the flight for the others. */
  readonly signal: AbortSignal;
  readonly patience: () => Patience;
  readonly start: (flight: {
    readonly patience: () => Patience | null;
    readonly known: Validators | undefined;
  }) => Promise<FlightResult>;
}

export interface SharedAnswer {
  /** The result of each address, for the sources. */
  readonly calls: readonly CallRecord[];
  readonly outcome:
    | {
        readonly ok: true;
        readonly reading: unknown;
        readonly dropped?: DroppedRows | undefined;
        /** Whether this caller's flight fetched it, so that counts per answer happen once, for this caller. */
        readonly is_own: boolean;
      }
    | { readonly ok: false; readonly error: UpstreamError }
    /** Set if another caller's answer is unusable for this caller. */
    | { readonly ok: false; readonly refused: string };
}

export interface SharedAnswers {
  /** "left": the caller's signal fired first. "full": too many different calls are in progress. */
  get(request: AnswerRequest): Promise<SharedAnswer | "left" | "full">;
  /** Kept answers, some of which are too old to use. */
  readonly size: number;
}

interface KeptFlight {
  readonly found: FoundFlight;
  /** Longest time for which any caller would use it. */
  readonly keep_ms: number;
}

const ENTRIES_MAX = 5_000;
/** Limit in bytes of raw bodies; parsed values take a few times as much memory. */
const BYTES_MAX = 24_000_000;
const FLIGHTS_MAX = 1_000;
/** Time between two searches for unusable answers: most requests name an hour or a block, and never repeat. */
const SWEEP_MS = 60_000;
/** How long an answer is kept only for revalidation. */
const REVALIDATE_MS = 86_400_000;

/** The longest patience of the waiting callers, urgent if any of them is; null without a waiting caller. */
function mostPatient(waiting: Iterable<() => Patience>): Patience | null {
  const all = [...waiting].map((patience) => patience());
  if (all.length === 0) return null;
  return {
    is_urgent: all.some(({ is_urgent }) => is_urgent),
    wait_max_ms: Math.max(...all.map(({ wait_max_ms }) => wait_max_ms)),
  };
}

const validatorsOf = ({ facts: { etag, last_modified } }: FoundFlight): Validators | undefined =>
  etag === undefined && last_modified === undefined
    ? undefined
    : { ...(etag === undefined ? {} : { etag }), ...(last_modified === undefined ? {} : { last_modified }) };

/** Keeps answers for their time to live, and lets callers with the same request at the same time share one flight. */
export function createSharedAnswers(clock: Clock): SharedAnswers {
  const kept = new LRUCache<string, KeptFlight>({ max: ENTRIES_MAX, maxSize: BYTES_MAX });
  let swept_at_ms = clock.now();
  const flights = createSingleFlight<FlightResult>();
  const waiting = new Map<string, Set<() => Patience>>();

  /** A kept answer that is young enough, with this caller's reading of it. */
  const findKept = ({ key, ttl_ms, reading }: AnswerRequest): { found: FoundFlight; read: Made } | undefined => {
    const found = ttl_ms > 0 ? kept.get(key)?.found : undefined;
    const age_ms = found ? clock.now() - found.call.fetched_at_ms : 0;
    // A clock set back must not keep an answer alive.
    if (!found || age_ms < 0 || age_ms >= ttl_ms) return undefined;
    // An answer fresh for its first caller may be too old by now, or not of the shape that this caller expects.
    const read = readValue(found.value, reading, { facts: found.facts, passed: found.schema });
    return read.ok ? { found, read } : undefined;
  };

  const keep = (key: string, found: FoundFlight, keep_ms: number): void => {
    // The reading belongs to the caller whose reader made it.
    kept.set(
      key,
      { found: { ...found, reading: undefined, dropped: undefined }, keep_ms },
      { size: Math.max(1, found.facts.bytes) },
    );
    const now_ms = clock.now();
    const passed_ms = now_ms - swept_at_ms;
    if (passed_ms >= 0 && passed_ms < SWEEP_MS) return;
    swept_at_ms = now_ms;
    for (const [old, entry] of kept.entries()) {
      const age_ms = now_ms - entry.found.call.fetched_at_ms;
      if (age_ms < 0 || age_ms >= Math.max(entry.keep_ms, SWEEP_MS)) kept.delete(old);
    }
  };

  /** The flight of the first caller. If the upstream reports no change, the kept answer counts as fresh. */
  const start = async (request: AnswerRequest): Promise<FlightResult> => {
    const { key, ttl_ms, revalidate, reading } = request;
    const old = revalidate ? kept.get(key)?.found : undefined;
    const patience = () => mostPatient(waiting.get(key) ?? []);
    const result = await request.start({ patience, known: old && validatorsOf(old) });
    let { outcome } = result;
    if (outcome.ok && outcome.unchanged) {
      if (!old) throw new Error("an answer that is not known cannot be unchanged");
      outcome = { ok: true, unchanged: false, ...old, call: outcome.call };
      const read = readValue(old.value, reading, { facts: old.facts, passed: old.schema });
      if (read.ok) outcome = { ...outcome, reading: read.reading, dropped: read.dropped };
    }
    const keep_ms = revalidate ? REVALIDATE_MS : ttl_ms;
    if (outcome.ok && keep_ms > 0) keep(key, outcome, keep_ms);
    return { ...result, outcome };
  };

  const join = async (request: AnswerRequest) => {
    const { key, signal } = request;
    const { promise, resolve } = Promise.withResolvers<"left">();
    const leave = () => resolve("left");
    signal.addEventListener("abort", leave, { once: true });
    const others = waiting.get(key) ?? new Set();
    waiting.set(key, others.add(request.patience));
    let is_own = false;
    const flight = flights.run(key, () => {
      is_own = true;
      return start(request);
    });
    try {
      const result = await Promise.race([flight, promise]);
      return result === "left" ? result : { result, is_own };
    } finally {
      signal.removeEventListener("abort", leave);
      others.delete(request.patience);
      if (others.size === 0) waiting.delete(key);
    }
  };

  return {
    get size() {
      return kept.size;
    },
    async get(request) {
      const found = findKept(request);
      if (found) {
        const { reading, dropped } = found.read;
        return { calls: [found.found.call], outcome: { ok: true, reading, dropped, is_own: false } };
      }
      if (flights.size >= FLIGHTS_MAX && !waiting.has(request.key)) return "full";
      const joined = await join(request);
      if (joined === "left") return joined;
      const { calls, outcome } = joined.result;
      if (!outcome.ok) return { calls, outcome };
      if (outcome.unchanged) throw new Error("an unchanged answer was not resolved");
      const { facts, schema, call } = outcome;
      // The first caller has read the answer in the flight; each of the others reads it separately.
      if (joined.is_own && outcome.reading !== undefined) {
        const { reading, dropped } = outcome;
        return { calls, outcome: { ok: true, reading, dropped, is_own: true } };
      }
      const read = readValue(outcome.value, request.reading, { facts, passed: schema });
      if (read.ok) {
        const { reading, dropped } = read;
        return { calls, outcome: { ok: true, reading, dropped, is_own: false } };
      }
      const marked = calls.map((one) => (one === call ? { ...one, error: "upstream_bad_response" as const } : one));
      return { calls: marked, outcome: { ok: false, refused: read.reason } };
    },
  };
}
