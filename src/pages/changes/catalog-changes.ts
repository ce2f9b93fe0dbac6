import type { Catalog, CatalogProduct } from "../../catalog/catalog.ts";
import type { WritableHistory } from "../../catalog/context.ts";
import type { Clock } from "../../core/clock.ts";
import { canonicalJSON, sha256Hex } from "../../core/hash.ts";
import { type CatalogRecord, type CatalogState, compareCatalogs, type NotedChanges } from "./changes.ts";

const SERIES = "catalog-changes";
/** The most rows read, which is more than a feed shows. */
const ROWS_MAX = 100;
const KEPT_MS = 2 * 366 * 86_400_000;

export interface CatalogChanges {
  /** Records the differences from the last record. Cheap unless the catalog was reloaded. */
  note(): Promise<void>;
  /** Newest first. */
  read(): Promise<readonly NotedChanges[]>;
}

export interface CatalogChangesOptions {
  /** The current catalog. */
  readonly catalog: () => Pick<Catalog, "products">;
  readonly history: WritableHistory;
  readonly clock: Clock;
  /** Digests of formulas and models, by name. */
  readonly methods: () => Readonly<Record<string, string>>;
}

const describe = ({ definition, price_usd }: CatalogProduct) => ({
  title: definition.title,
  price_usd,
  // Through JSON, as buyers see it, because the library's own symbols are not part of the contract.
  contract: sha256Hex(canonicalJSON(JSON.parse(JSON.stringify([definition.params, definition.data])))),
});

/** The record of changes in the catalog, kept with the observed series. */
export function createCatalogChanges({ catalog, history, clock, methods }: CatalogChangesOptions): CatalogChanges {
  const readRows = async (limit: number) =>
    // Only this file writes these rows.
    (await history.read(SERIES, { limit })).map(({ at_ms, value }) => ({ at_ms, ...(value as CatalogRecord) }));
  let noted: Pick<Catalog, "products"> | null = null;
  return {
    async note() {
      const current = catalog();
      if (current === noted) return;
      const products = current.products.map((one) => [one.id, describe(one)] as const);
      const state: CatalogState = { products: Object.fromEntries(products), methods: methods() };
      const [last] = await readRows(1);
      const changes = compareCatalogs(last?.state ?? null, state);
      if (changes.length > 0) {
        // After the clock was set back, a change must not come before its predecessor.
        const at_ms = Math.max(clock.now(), (last?.at_ms ?? 0) + 1);
        const value: CatalogRecord = { changes, state };
        await history.write(SERIES, [{ at_ms, value }]);
        await history.prune(SERIES, at_ms - KEPT_MS);
      }
      noted = current;
    },
    read: async () => (await readRows(ROWS_MAX)).map(({ at_ms, changes }) => ({ at_ms, changes })).reverse(),
  };
}
