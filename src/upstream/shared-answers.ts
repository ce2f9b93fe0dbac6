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
  /** How old a kept answer may be; 0 = none is kept. */
  readonly ttl_ms: number;
  /** Whether an older one is kept, and asked about before it is sent again. */
  readonly revalidate: boolean;
  /** This caller's; it does not end the flight for the others. */
  readonly signal: AbortSignal;
  readonly patience: () => Patience;
  readonly start: (flight: {
    readonly patience: () => Patience | null;
    readonly known: Validators | undefined;
  }) => Promise<FlightResult>;
}

export interface SharedAnswer {
  /** What came of each address, for the sources. */
  readonly calls: readonly CallRecord[];
  readonly outcome:
    | {
        readonly ok: true;
        readonly reading: unknown;
        readonly dropped?: DroppedRows | undefined;
        /** Whether this caller's flight brought it: what is counted once per answer is counted by him. */
        readonly is_own: boolean;
      }
    | { readonly ok: false; readonly error: UpstreamError }
    /** Somebody else's answer is not what this caller can use. */
    | { readonly ok: false; readonly refused: string };
}

export interface SharedAnswers {
  /** "left": the caller's signal fired first. "full": too many different calls are under way. */
  get(request: AnswerRequest): Promise<SharedAnswer | "left" | "full">;
  /** Answers that are kept, some of them too old to be used. */
  readonly size: number;
}

interface KeptFlight {
  readonly found: FoundFlight;
  /** The longest that anybody would use it for. */
  readonly keep_ms: number;
}

const ENTRIES_MAX = 5_000;
/** Of bodies as they came; parsed values take a few times as much memory. */
const BYTES_MAX = 24_000_000;
const FLIGHTS_MAX = 1_000;
/** Between two looks for answers that nobody can use any more: most questions name an hour or a block, once. */
const SWEEP_MS = 60_000;
/** How long an answer is kept only to be asked about. */
const REVALIDATE_MS = 86_400_000;

/** The most patient of those who wait, urgent if any of them is; null when nobody waits. */
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

/** Keeps answers for their time to live, and lets callers that ask for the same at the same time share one flight. */
export function createSharedAnswers(clock: Clock): SharedAnswers {
  const kept = new LRUCache<string, KeptFlight>({ max: ENTRIES_MAX, maxSize: BYTES_MAX });
  let swept_at_ms = clock.now();
  const flights = createSingleFlight<FlightResult>();
  const waiting = new Map<string, Set<() => Patience>>();

  /** A kept answer that is young enough, with how this caller reads it. */
  const findKept = ({ key, ttl_ms, reading }: AnswerRequest): { found: FoundFlight; read: Made } | undefined => {
    const found = ttl_ms > 0 ? kept.get(key)?.found : undefined;
    const age_ms = found ? clock.now() - found.call.fetched_at_ms : 0;
    // A clock set back must not keep an answer alive.
    if (!found || age_ms < 0 || age_ms >= ttl_ms) return undefined;
    // What was fresh for the one who fetched it may be too old by now, or of another shape than this caller expects.
    const read = readValue(found.value, reading, { facts: found.facts, passed: found.schema });
    return read.ok ? { found, read } : undefined;
  };

  const keep = (key: string, found: FoundFlight, keep_ms: number): void => {
    // What its reader made of it is the reader's.
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

  /** The flight of the first caller. What it finds unchanged is the kept answer, as of now. */
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
      // Whoever started the flight has read the answer in it; the others read it each for himself.
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
