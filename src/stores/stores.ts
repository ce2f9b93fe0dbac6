import type { CatalogFault } from "../catalog/catalog.ts";
import type { JobContext, WritableHistory } from "../catalog/context.ts";
import { findDefinition } from "../catalog/definition-site.ts";
import type { LoadedPlugin } from "../catalog/plugin.ts";
import { KEPT_SERIES } from "../catalog/series.ts";
import { messageOf } from "../core/errors.ts";
import type { SpentStore } from "../models/budget.ts";
import type { WatchHookRows, WatchRows } from "../watches/types.ts";
import { type DatasetStore, openDatasetStore } from "./dataset-store.ts";
import { openKeptDb } from "./kept-db.ts";
import type { MarketDb } from "./market-db.ts";
import { createModelRows } from "./model-rows.ts";
import { createOwnChannelRows, type OwnChannelRows } from "./own-channel-rows.ts";
import { createTableStore } from "./table-store.ts";
import { createWatchHooks } from "./watch-hooks.ts";
import { createWatchRows } from "./watch-rows.ts";

/** What plugins keep: tables and series in kept.db and market.db, datasets in files of their own. */
export interface Stores {
  readonly history: WritableHistory;
  readonly table: JobContext["table"];
  readonly datasets: DatasetStore;
  /** What language models cost. */
  readonly model_costs: SpentStore;
  /** What buyers have the node watch. */
  readonly watches: WatchRows;
  /** Where their events are sent. */
  readonly watch_hooks: WatchHookRows;
  /** Payment channels that this node pays from. */
  readonly own_channels: OwnChannelRows;
  /** Tables that cannot be used, and why; using one fails. */
  readonly faults: readonly CatalogFault[];
  /** Takes in what further plugins keep, while the node runs. @returns what cannot be used, and why. */
  add(plugins: readonly LoadedPlugin[]): readonly CatalogFault[];
  /** Drops rows that are older than their table keeps them. */
  prune(now_ms: number): Promise<void>;
  close(): void;
}

export interface StoresOptions {
  /** ":memory:" keeps nothing. */
  readonly kept_file: string;
  /** Whether what is kept is a sandbox's. */
  readonly is_simulated?: boolean;
  readonly datasets_folder: string;
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
export function openStores({
  kept_file,
  is_simulated = false,
  datasets_folder,
  market,
  plugins,
}: StoresOptions): Stores {
  const kept = openKeptDb(kept_file, { is_simulated });
  const tables = createTableStore({ kept: kept.db, disposable: market.db });
  const datasets = openDatasetStore(datasets_folder);
  const add = (further: readonly LoadedPlugin[]): readonly CatalogFault[] => {
    const faults: CatalogFault[] = [];
    const attempt = (definition: object, file: string, work: () => void) => {
      try {
        work();
      } catch (error) {
        faults.push({ ...(findDefinition(definition) ?? { file }), message: messageOf(error) });
      }
    };
    for (const plugin of further) {
      for (const table of plugin.tables ?? []) {
        if (!tables.knows(table)) attempt(table, plugin.file, () => tables.add(plugin.id, table));
      }
      for (const dataset of plugin.datasets ?? []) {
        if (!datasets.knows(dataset)) attempt(dataset, plugin.file, () => datasets.add(plugin.id, dataset));
      }
    }
    return faults;
  };
  // One wait for the disk, not one per table; what is wrong with one of them leaves the others as they are.
  const faults = kept.db.transaction(() => market.db.transaction(() => add(plugins)).immediate()).immediate();
  return {
    add,
    history: routeHistory(kept.history, market.history),
    table: tables.open,
    datasets,
    model_costs: createModelRows(kept.db),
    watches: createWatchRows(kept.db),
    watch_hooks: createWatchHooks(kept.db),
    own_channels: createOwnChannelRows(kept.db),
    faults,
    prune: tables.prune,
    close() {
      datasets.close();
      kept.close();
    },
  };
}
