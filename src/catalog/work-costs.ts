import { createLRU } from "../core/lru.ts";

/** Processor time that making one answer took, ms. */
export interface WorkCost {
  /** Computing, checking and writing it, wherever that was done. */
  readonly render_ms: number;
  /** All that the serving thread did for it, `render_ms` among it where it was done there. */
  readonly total_ms: number;
}

/** What answers of each product cost, as measured while they were made. */
export interface WorkCosts {
  note(path: string, cost: WorkCost): void;
  /** Whether making its answers is worth another thread: it is what other calls would wait for. */
  isHeavy(path: string): boolean;
  /** The expected cost of an answer in all, ms; null while unknown. */
  totalOf(path: string): number | null;
}

/** From here on a product is heavy. To hand inputs to another thread takes a tenth to half of it. */
export const HEAVY_MS = 4;
/** A heavy one is light again below this: a product in between does not go to and fro. */
const LIGHT_MS = 3;
/** The first answer of all is compiled as it is made: it counts where it is longer than anything may be. */
const FIRST_MS_MAX = 20;
/** How much of the estimate remains after an answer that took less. One that took more counts at once. */
const REMAINS = 0.8;
const PRODUCTS_MAX = 2_000;

interface Estimate {
  readonly render_ms: number;
  readonly total_ms: number | null;
  readonly is_heavy: boolean;
}

const follow = (before_ms: number, took_ms: number): number =>
  took_ms >= before_ms ? took_ms : before_ms * REMAINS + took_ms * (1 - REMAINS);

export function createWorkCosts(): WorkCosts {
  const estimates = createLRU<Estimate>(PRODUCTS_MAX);
  return {
    note(path, { render_ms, total_ms }) {
      const before = estimates.get(path);
      if (before === undefined && render_ms < FIRST_MS_MAX) {
        estimates.set(path, { render_ms: 0, total_ms: null, is_heavy: false });
        return;
      }
      const followed = follow(before?.render_ms ?? 0, render_ms);
      const is_heavy = followed >= (before?.is_heavy === true ? LIGHT_MS : HEAVY_MS);
      estimates.set(path, { render_ms: followed, total_ms: follow(before?.total_ms ?? 0, total_ms), is_heavy });
    },
    isHeavy: (path) => estimates.get(path)?.is_heavy === true,
    totalOf: (path) => estimates.get(path)?.total_ms ?? null,
  };
}
