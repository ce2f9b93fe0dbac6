import { existsSync } from "node:fs";
import { renderWithheldValues } from "../catalog/offered-product.ts";
import { listTierPrices, renderTierPrices } from "../catalog/tiers.ts";
import { loadConfig } from "../config/load.ts";
import { systemClock } from "../core/clock.ts";
import { readFolderSwitches } from "../files/switch-file.ts";
import { composeCatalog, composeUpstream, loadPlugins } from "../node/compose-catalog.ts";
import { VERSION } from "../releases/version.ts";
import { createLog } from "../telemetry/log.ts";
import { EXIT } from "./exit-codes.ts";
import { loadConfigFile } from "./load-config-file.ts";
import { print, printError } from "./print.ts";

/** Prints the catalog that this configuration sells; without a file, that of the defaults. */
export async function catalogCommand({ config: file, json }: { config: string; json: boolean }): Promise<number> {
  const loaded = existsSync(file) ? await loadConfigFile(file) : await loadDefaults();
  if ("faults" in loaded) {
    printError(loaded.faults);
    return EXIT.config;
  }
  const { config, plugins } = loaded;
  const log = createLog({ level: "silent", format: "json", secrets: [] });
  const switches = readFolderSwitches(config, systemClock.now);
  const upstream = composeUpstream({
    config,
    plugins: plugins.plugins,
    clock: systemClock,
    log,
    version: VERSION,
    sandbox: null,
    switches: () => switches,
  });
  const catalog = composeCatalog(config, plugins, { upstream, switches });
  const rows = catalog.products.map(
    ({ path, price_usd, tiers, plugin, definition, providers, ttl_ms, max_age_ms, preview_delay_ms }) => ({
      path,
      price_usd,
      tiers: listTierPrices(tiers),
      plugin,
      title: definition.title,
      ttl_s: ttl_ms / 1000,
      max_age_s: max_age_ms === null ? null : max_age_ms / 1000,
      preview_delay_s: preview_delay_ms / 1000,
      providers: providers.filter((provider) => upstream.usable(provider)).map((provider) => provider.id),
    }),
  );
  const { withheld, withheld_values } = catalog;
  if (json) print(JSON.stringify({ products: rows, withheld, withheld_values }, null, 2));
  else {
    for (const { path, price_usd, tiers, title, plugin, providers } of rows) {
      print(`${path.padEnd(24)} ${price_usd.padStart(8)} USD  ${title}${renderTierPrices(tiers)}`);
      const from = providers.length > 0 ? ` from ${providers.join(", ")}` : "";
      print(`${" ".repeat(24)} plugin ${plugin}${from && `,${from}`}`);
    }
    for (const { path, why } of withheld) print(`${path.padEnd(24)} withheld: ${why}`);
    for (const line of renderWithheldValues(withheld_values)) print(line);
  }
  return EXIT.ok;
}

async function loadDefaults() {
  const loaded = loadConfig({ text: "", file: "defaults", env: process.env });
  if (!loaded.ok) throw new Error("the defaults are not a valid configuration");
  return { config: loaded.config, plugins: await loadPlugins(loaded.config) };
}
