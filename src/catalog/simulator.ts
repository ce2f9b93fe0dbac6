/** The sandbox's model of the world: one seeded market, readable at any time, so that all simulators agree. */
export interface SimulatedWorld {
  /** The sandbox clock, ms. A "stale" fault shows a simulator an earlier one. */
  now(): number;
  /** USD price of a symbol such as "BTC" at a time (default: now). Deterministic; continuous in time. */
  price(symbol: string, at_ms?: number): number;
  /** A number in [0, 1) that depends only on the key (and the seed). */
  noise(key: string): number;
}

export interface SimulatedRequest {
  readonly method: string;
  /** Below the base address, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** Parsed JSON body; undefined when there is none. */
  readonly body: unknown;
  /** Chain providers: which chain was called. */
  readonly chain?: string;
}

/** A JSON body, or text or another status when the provider really answers so. */
export type SimulatedAnswer =
  | { readonly json: unknown; readonly status?: number }
  | { readonly text: string; readonly status?: number };

/** Plays one provider in the real provider's shapes. */
export interface Simulator {
  /** Provider id. */
  readonly provider: string;
  respond(request: SimulatedRequest, world: SimulatedWorld): SimulatedAnswer;
}

export const defineSimulator = (simulator: Simulator): Simulator => Object.freeze(simulator);
