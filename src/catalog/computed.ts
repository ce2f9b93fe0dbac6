import { settleMissing } from "../core/missing.ts";

/** What `compute` returns. `as_of_ms` is the time of the newest datum used, not the clock. */
export interface Computed<D> {
  readonly as_of_ms: number;
  /** A figure that could not be had is `missing("why")`. */
  readonly data: D;
  /** What else a buyer has to know, one text each: "<field>: <reason>". */
  readonly warnings: readonly string[];
}

/**
 * What a product computed, as it is sold: each missing figure is null, and its reason a warning after those that the
 * product says itself. The data is not checked against its schema yet, so its type is the caller's to prove.
 */
export function settleComputed({ as_of_ms, data, warnings }: Computed<unknown>): Computed<unknown> {
  const settled = settleMissing(data, warnings);
  return { as_of_ms, data: settled.data, warnings: [...warnings, ...settled.warnings] };
}
