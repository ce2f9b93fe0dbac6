import { declare } from "./definition-site.ts";
import { maybe, type OptionRules, RECORD, text, WORK } from "./option-rules.ts";
import type { Charset } from "./request.ts";

/** The sandbox's model of the world: one seeded market, readable at any time, so that all simulators agree. */
export interface SimulatedWorld {
  /** The sandbox clock, ms. A "stale" fault shows a simulator an earlier one. */
  now(): number;
  /** USD price of a symbol such as "BTC" at a time (default: now). Deterministic; continuous in time. */
  price(symbol: string, at_ms?: number): number;
  /** A number in [0, 1) that depends only on the key (and the seed). */
  noise(key: string): number;
  /**
   * What prices and noise are read from: worlds with the same one agree about every time, so that what was read of one
   * may be kept for the others. Left out where they may not agree.
   */
  readonly market?: object;
}

/** A call to an upstream that the sandbox plays. */
export interface SimulatedRequest {
  readonly method: string;
  /** Below the base address, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** Parsed JSON body, or a form's fields; undefined without a body. A JSON-RPC batch comes call by call. */
  readonly body: unknown;
  /** Which of the provider's named hosts was called. */
  readonly host?: string;
  /** Chain providers: which chain was called. */
  readonly chain?: string;
}

interface AnswerHead {
  readonly status?: number;
  /** With an `etag` or `last-modified`, a request that names that version gets a 304. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the provider really answers: JSON, text in its charset, bytes, a ZIP of files, gzip, a redirect. */
export type SimulatedAnswer = AnswerHead &
  (
    | { readonly json: unknown }
    | { readonly text: string; readonly charset?: Charset }
    | { readonly bytes: Uint8Array }
    | { readonly zip: Readonly<Record<string, string | Uint8Array>>; readonly charset?: Charset }
    | { readonly gzip: string | Uint8Array; readonly charset?: Charset }
    /** A path of the same provider, below `host` or its base address. */
    | { readonly redirect: string; readonly host?: string }
  );

/** One connection to a provider's WebSocket. Messages are JSON values. */
export interface SimulatedSocket {
  /** Answers to a message of the client; what is sent when it connects comes for `undefined`. */
  hear(message: unknown): readonly unknown[];
  /** Messages sent unprompted, every `every_ms`. */
  push?(): readonly unknown[];
  readonly every_ms?: number;
}

/** Plays one provider in the real provider's shapes. */
export interface Simulator {
  /** Provider id. */
  readonly provider: string;
  respond(request: SimulatedRequest, world: SimulatedWorld): SimulatedAnswer;
  /** Its WebSocket; null if the address has no WebSocket. */
  connect?(request: SimulatedRequest, world: SimulatedWorld): SimulatedSocket | null;
  /** Calls it answers in a stretch of time of the sandbox clock; further ones are a 429, as at the publisher. */
  readonly quota?: { readonly calls: number; readonly per_s: number };
}

/** Every option of a simulator. */
export const SIMULATOR_OPTIONS: OptionRules<Simulator> = {
  provider: text("tide_watch"),
  respond: WORK,
  connect: maybe(WORK),
  quota: maybe(RECORD),
};

/** Declares how the sandbox plays an upstream. */
export const defineSimulator = (simulator: Simulator): Simulator => declare(simulator);

/**
 * Remembers what follows from the simulated market and a key alone, whenever it is asked: simulators are asked for the
 * same days again and again. Where there are more than `kept_max` of a world, all are forgotten.
 */
export function createWorldMemo<T>(kept_max: number): (world: SimulatedWorld, key: string, make: () => T) => T {
  // A test world with other prices has its own function for them.
  const known = new WeakMap<SimulatedWorld["price"], Map<string, T>>();
  return (world, key, make) => {
    const of_world = known.get(world.price) ?? new Map<string, T>();
    known.set(world.price, of_world);
    const kept = of_world.get(key);
    if (kept !== undefined) return kept;
    const made = make();
    if (of_world.size >= kept_max) of_world.clear();
    of_world.set(key, made);
    return made;
  };
}

/**
 * Plays the token endpoint of a provider with OAuth client credentials.
 * @returns the answer to a request for a token, or a 401 for a call without a token that still holds; null to go on.
 */
export function simulateOAuth(
  { method, path, headers }: SimulatedRequest,
  world: SimulatedWorld,
  options: { readonly path: string; readonly expires_in_s: number },
): SimulatedAnswer | null {
  const life_ms = options.expires_in_s * 1000;
  const issued = Math.floor(world.now() / life_ms);
  const tokenOf = (n: number) => `simulated-token-${n}`;
  if (path === options.path) {
    const json = { access_token: tokenOf(issued), token_type: "Bearer", expires_in: options.expires_in_s };
    return method === "POST" ? { json } : { status: 405, json: { error: "invalid_request" } };
  }
  const sent = headers.get("authorization");
  // A token issued at the end of one stretch holds through the next.
  const is_valid = [issued, issued - 1].some((n) => sent === `Bearer ${tokenOf(n)}`);
  return is_valid ? null : { status: 401, json: { error: "invalid_token" } };
}
