import type { CatalogFault } from "../catalog/catalog.ts";
import type { JobContext, WritableHistory } from "../catalog/context.ts";
import { findDefinition } from "../catalog/definition-site.ts";
import type { LoadedPlugin } from "../catalog/plugin.ts";
import { KEPT_SERIES } from "../catalog/series.ts";
import { messageOf } from "../core/errors.ts";
import { openKeptDb } from "./kept-db.ts";
import type { MarketDb } from "./market-db.ts";
import { createTableStore } from "./table-store.ts";

/** What plugins keep: tables and series, in kept.db and market.db. */
export interface Stores {
  readonly history: WritableHistory;
  readonly table: JobContext["table"];
  /** Tables that cannot be used, and why; using one fails. */
  readonly faults: readonly CatalogFault[];
  /** Drops rows that are older than their table keeps them. */
  prune(now_ms: number): Promise<void>;
  close(): void;
}

export interface StoresOptions {
  /** ":memory:" keeps nothing. */
  readonly kept_file: string;
  readonly market: MarketDb;
  readonly plugins: readonly LoadedPlugin[];
}

/** Series by their name: those that are kept are in the one file, all others in the other. */
function routeHistory(kept: WritableHistory, disposable: WritableHistory): WritableHistory {
  const pick = (series: string) => (series.startsWith(KEPT_SERIES) ? kept : disposable);
  return {
    read: (series, options) => pick(series).read(series, options),
    write: (series, observations) => pick(series).write(series, observations),
    prune: (series, before_ms) => pick(series).prune(series, before_ms),
  };
}

/**
 * Opens what the plugins keep and brings their tables to their newest form.
 * @throws StoreError when kept.db itself cannot be used; a table that cannot is a fault of its plugin.
 */
export function openStores({ kept_file, market, plugins }: StoresOptions): Stores {
  const kept = openKeptDb(kept_file);
  const tables = createTableStore({ kept: kept.db, disposable: market.db });
  const faults: CatalogFault[] = [];
  for (const plugin of plugins) {
    for (const table of plugin.tables ?? []) {
      try {
        tables.add(plugin.id, table);
      } catch (error) {
        faults.push({ ...(findDefinition(table) ?? { file: plugin.file }), message: messageOf(error) });
      }
    }
  }
  return {
    history: routeHistory(kept.history, market.history),
    table: tables.open,
    faults,
    prune: tables.prune,
    close: kept.close,
  };
}
