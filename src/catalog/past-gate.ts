import type { CatalogProduct } from "./catalog.ts";

/** Keeps calls back that need what a new sandbox has not lived yet. Open from the first for every other node. */
export interface PastGate {
  /** Resolves when what the product may need is there; null when it is. */
  waitFor(product: CatalogProduct): Promise<void> | null;
  /** Closes it until `live` is done, which may let go of most products before. Never rejects. */
  begin(live: (letGo: (but: ReadonlySet<string>) => void) => Promise<void>): Promise<void>;
}

export function createPastGate(): PastGate {
  let sampled: Promise<void> | null = null;
  let lived: Promise<void> | null = null;
  let held: ReadonlySet<string> | null = null;
  return {
    waitFor(product) {
      if (lived === null) return null;
      if (held !== null) return held.has(product.id) ? lived : null;
      return sampled?.then(() => (held?.has(product.id) ? lived : null)) as Promise<void>;
    },
    begin(live) {
      const { promise, resolve } = Promise.withResolvers<void>();
      sampled = promise;
      const done = live((but) => {
        held = but;
        resolve();
      }).finally(() => {
        lived = null;
        resolve();
      });
      lived = done;
      return done;
    },
  };
}
