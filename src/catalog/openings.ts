import type { Clock } from "../core/clock.ts";
import type { Records } from "../records/record-chain.ts";
import type { CatalogProduct } from "./catalog.ts";

/** Since when products without data yet will have it: what their 402 and the price list say. */
export interface Openings {
  /** The earliest time it will have data, ms; null when it has. */
  get(path: string): number | null;
  /** Asks the products that had no data; whether an answer has changed. */
  refresh(): Promise<boolean>;
}

export interface OpeningsOptions {
  readonly products: readonly CatalogProduct[];
  readonly records: Records;
  readonly clock: Clock;
}

/**
 * Keeps what products say of their first data, beginning with what they say now. One that has data once has it for
 * good: it is not asked again.
 */
export async function loadOpenings(options: OpeningsOptions): Promise<Openings> {
  const openings = createOpenings(options);
  await openings.refresh();
  return openings;
}

function createOpenings({ products, records, clock }: OpeningsOptions): Openings {
  const waiting = new Map<string, number | null>();
  for (const { path, definition } of products) if (definition.findOpening) waiting.set(path, null);
  return {
    get: (path) => waiting.get(path) ?? null,
    async refresh() {
      let has_changed = false;
      for (const { path, definition } of products) {
        if (!waiting.has(path)) continue;
        const before = waiting.get(path);
        const opens_ms = (await definition.findOpening?.({ records, now_ms: clock.now() })) ?? null;
        if (opens_ms === null) waiting.delete(path);
        else waiting.set(path, opens_ms);
        has_changed ||= opens_ms !== before;
      }
      return has_changed;
    },
  };
}
