import { LRUCache } from "lru-cache";
import type { Clock } from "../core/clock.ts";
import { createSingleFlight } from "../core/single-flight.ts";
import { type Expectation, findFault } from "./check-value.ts";
import type { FlightResult, Found } from "./flight.ts";

export interface AnswerRequest {
  /** Equal for requests whose answer can be shared. */
  readonly key: string;
  readonly expectation: Expectation;
  /** How old a kept answer may be; 0 = none is kept. */
  readonly ttl_ms: number;
  /** This caller's; it does not end the flight for the others. */
  readonly signal: AbortSignal;
  readonly start: (isWanted: () => boolean) => Promise<FlightResult>;
}

export type SharedAnswer =
  | FlightResult
  | { readonly calls: FlightResult["calls"]; readonly outcome: { readonly ok: false; readonly refused: string } }
  /** The caller's signal fired first. */
  | "left"
  /** Too many different calls are under way. */
  | "full";

export interface SharedAnswers {
  get(request: AnswerRequest): Promise<SharedAnswer>;
  /** Answers that are kept, some of them too old to be used. */
  readonly size: number;
}

interface Kept {
  readonly found: Found;
  /** The longest that anybody would use it for. */
  readonly ttl_ms: number;
}

const ENTRIES_MAX = 5_000;
/** Parsed values take a few times the memory of their text. */
const CHARS_MAX = 24_000_000;
const FLIGHTS_MAX = 1_000;
/** Between two looks for answers that nobody can use any more: most questions name an hour or a block, once. */
const SWEEP_MS = 60_000;

/** Keeps answers for their time to live, and lets callers that ask for the same at the same time share one flight. */
export function createSharedAnswers(clock: Clock): SharedAnswers {
  const kept = new LRUCache<string, Kept>({ max: ENTRIES_MAX, maxSize: CHARS_MAX });
  let swept_at_ms = clock.now();
  const flights = createSingleFlight<FlightResult>();
  const waiting = new Map<string, number>();

  const findKept = ({ key, ttl_ms, expectation }: AnswerRequest): Found | undefined => {
    const found = ttl_ms > 0 ? kept.get(key)?.found : undefined;
    const age_ms = found ? clock.now() - found.call.fetched_at_ms : 0;
    // A clock set back must not keep an answer alive.
    if (!found || age_ms < 0 || age_ms >= ttl_ms) return undefined;
    // What was fresh for the one who fetched it may be too old by now, or of another shape than this caller expects.
    return findFault(found.value, expectation, found.schema) === undefined ? found : undefined;
  };

  const keep = (key: string, found: Found, ttl_ms: number): void => {
    kept.set(key, { found, ttl_ms }, { size: Math.max(1, found.chars) });
    const now_ms = clock.now();
    const passed_ms = now_ms - swept_at_ms;
    if (passed_ms >= 0 && passed_ms < SWEEP_MS) return;
    swept_at_ms = now_ms;
    for (const [old, entry] of kept.entries()) {
      const age_ms = now_ms - entry.found.call.fetched_at_ms;
      if (age_ms < 0 || age_ms >= Math.max(entry.ttl_ms, SWEEP_MS)) kept.delete(old);
    }
  };

  const fly = (request: AnswerRequest): Promise<FlightResult> =>
    flights.run(request.key, async () => {
      const result = await request.start(() => waiting.has(request.key));
      const { outcome } = result;
      if (outcome.ok && request.ttl_ms > 0) keep(request.key, outcome, request.ttl_ms);
      return result;
    });

  const join = async (request: AnswerRequest): Promise<FlightResult | "left"> => {
    const { key, signal } = request;
    const { promise, resolve } = Promise.withResolvers<"left">();
    const leave = () => resolve("left");
    signal.addEventListener("abort", leave, { once: true });
    waiting.set(key, (waiting.get(key) ?? 0) + 1);
    try {
      return await Promise.race([fly(request), promise]);
    } finally {
      signal.removeEventListener("abort", leave);
      const others = (waiting.get(key) ?? 1) - 1;
      if (others > 0) waiting.set(key, others);
      else waiting.delete(key);
    }
  };

  return {
    get size() {
      return kept.size;
    },
    async get(request) {
      const found = findKept(request);
      if (found) return { calls: [found.call], outcome: { ok: true, ...found } };
      if (flights.size >= FLIGHTS_MAX && !waiting.has(request.key)) return "full";
      const result = await join(request);
      if (result === "left" || !result.outcome.ok) return result;
      // Another caller's flight was checked against that caller's expectation.
      const { value, schema, call } = result.outcome;
      const refused = findFault(value, request.expectation, schema);
      if (refused === undefined) return result;
      const calls = result.calls.map((one) =>
        one === call ? { ...one, error: "upstream_bad_response" as const } : one,
      );
      return { calls, outcome: { ok: false, refused } };
    },
  };
}
