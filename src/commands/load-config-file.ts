import { readFileSync } from "node:fs";
import { collectProviders } from "../catalog/catalog.ts";
import { createPlans, findPlanFaults } from "../catalog/plans.ts";
import { checkNames, loadConfig, renderFaults } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { messageOf } from "../core/errors.ts";
import { TRUST_PATH } from "../node/bootstrap-trust.ts";
import { loadPlugins } from "../node/compose-catalog.ts";
import { facilitatorKeysOf } from "../node/gas-key.ts";
import type { LoadedPlugins } from "../node/parts.ts";

export interface LoadedFile {
  readonly config: Config;
  readonly plugins: LoadedPlugins;
}

/**
 * Reads a configuration file whole: its keys, then the names that only the plugins know.
 * @returns the configuration, or the faults as text for people.
 */
export async function loadConfigFile(file: string): Promise<LoadedFile | { readonly faults: string }> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return { faults: `${file} cannot be read: ${messageOf(error)}\n"intel-node init" writes one.` };
  }
  const loaded = loadConfig({ text, file, env: process.env });
  if (!loaded.ok) return { faults: renderFaults(loaded.faults) };
  const plugins = await loadPlugins(loaded.config);
  const faults = checkNames(loaded, {
    providers: collectProviders(plugins.known).map((provider) => provider.id),
    products: [
      ...plugins.known.flatMap((plugin) => plugin.products.map(({ product }) => String(product.path))),
      ...createPlans(loaded.config.plans).map((plan) => String(plan.path)),
      TRUST_PATH,
    ],
    plugins: plugins.known.map((plugin) => plugin.id),
  });
  if (faults.length > 0) return { faults: renderFaults(faults) };
  const of_plans = findPlanFaults(loaded.config.plans);
  if (of_plans.length > 0) return { faults: `${file}: ${of_plans.join(`\n${file}: `)}` };
  return { config: loaded.config, plugins };
}

/** Every secret text of a configuration, for the log's scrubber. */
export function secretsOf(config: Config): readonly string[] {
  return [
    ...Object.values(config.providers.tables).flatMap((table) => table.api_key ?? []),
    ...config.facilitators.flatMap((entry) => Object.values(entry.headers ?? {})),
    ...facilitatorKeysOf(config),
  ];
}
