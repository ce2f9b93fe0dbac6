import { type EndingTable, listEndingTables } from "../../catalog/dated-tables.ts";
import type { LoadedPlugin } from "../../catalog/plugin.ts";
import { createOwnConfig } from "../../config/own-config.ts";
import type { Config } from "../../config/schema.ts";

/** Tables of dates that plugins ship and that end within 120 days, with what the operator added to them. */
export function findEndingTables(
  config: Pick<Config, "providers" | "plugins">,
  plugins: readonly LoadedPlugin[],
  now_ms: number,
): readonly EndingTable[] {
  const read = createOwnConfig({ providers: config.providers.tables, plugins: config.plugins.tables }, plugins);
  return listEndingTables(plugins, (plugin) => (plugin.config ? read(plugin.config) : {}), now_ms);
}
