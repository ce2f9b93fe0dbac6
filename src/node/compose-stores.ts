import { join } from "node:path";
import type { LoadedPlugin } from "../catalog/plugin.ts";
import { type MarketDb, openMarketDb } from "../stores/market-db.ts";
import { openStores, type Stores } from "../stores/stores.ts";
import type { StartOptions } from "./parts.ts";

/**
 * Opens what the node and its plugins keep beside the books. What is simulated must never be read as real: it gets
 * files of its own.
 */
export function composeStores(
  { data_dir, clock, log }: Pick<StartOptions, "data_dir" | "clock" | "log">,
  { is_simulated, plugins }: { readonly is_simulated: boolean; readonly plugins: readonly LoadedPlugin[] },
): { readonly market: MarketDb; readonly stores: Stores } {
  const place = (name: string) => join(data_dir, is_simulated ? `${name}-sandbox` : name);
  const market = openMarketDb(`${place("market")}.db`, { clock, log: (event) => log.warn({ ...event }) });
  const stores = openStores({
    kept_file: `${place("kept")}.db`,
    is_simulated,
    datasets_folder: place("datasets"),
    market,
    plugins,
  });
  for (const fault of stores.faults) log.error({ event: "plugin_refused", ...fault });
  return { market, stores };
}
