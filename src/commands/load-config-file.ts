import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { TObject } from "@sinclair/typebox";
import { BASKET_PATH } from "../catalog/basket-items.ts";
import { collectProviders } from "../catalog/catalog.ts";
import type { PathSettings } from "../catalog/path-setting.ts";
import { createPlans, findPlanFaults } from "../catalog/plans.ts";
import type { AnyProduct } from "../catalog/product.ts";
import type { ProviderDefinition } from "../catalog/provider.ts";
import { tierKey } from "../catalog/tiers.ts";
import {
  type ConfigFault,
  checkNames,
  type LoadedConfig,
  loadConfig,
  readNamedPlugins,
  renderFaults,
} from "../config/load.ts";
import { collectOwnTables, createOwnConfig } from "../config/own-config.ts";
import type { Config } from "../config/schema.ts";
import { parseTOMLWithPositions, pathKey } from "../config/toml.ts";
import { leavesOf, type Path } from "../config/walk.ts";
import { messageOf } from "../core/errors.ts";
import { facilitatorKeysOf } from "../files/gas-key.ts";
import { loadPlugins } from "../node/compose-catalog.ts";
import { findFacilitatorFaults } from "../node/compose-facilitators.ts";
import type { ConfigSource, ReadConfig } from "../node/parts.ts";

export type LoadedFile = Omit<ReadConfig, "secrets">;

/** The source from which a running node reloads its configuration. */
export const sourceOf = (file: string, { read }: LoadedFile): ConfigSource => ({
  first: read,
  async load() {
    const loaded = await loadConfigFile(file);
    if ("faults" in loaded) return loaded;
    const faults = findFacilitatorFaults(loaded.config);
    return faults.length > 0 ? { faults: faults.join("\n") } : { ...loaded, secrets: secretsOf(loaded) };
  },
});

/**
 * Reads and checks a configuration file: first its keys, then the names that only the plugins know.
 * @returns the configuration, or the faults as text for people.
 */
export async function loadConfigFile(file: string): Promise<LoadedFile | FileFaults> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return { faults: `${file} cannot be read: ${messageOf(error)}\n"intel-node init" writes one.` };
  }
  return loadConfigText(text, file);
}

/** The faults of a configuration. */
export interface FileFaults {
  /** All faults as text for people. */
  readonly faults: string;
  /** Single faults, if each has a position. */
  readonly details?: readonly ConfigFault[];
}

const faultsOf = (details: readonly ConfigFault[]): FileFaults => ({ faults: renderFaults(details), details });

/** Does the same for a text that is to be written to a file, which need not exist. */
export async function loadConfigText(text: string, file: string): Promise<LoadedFile | FileFaults> {
  // Plugins declare tables of the configuration, and the configuration says where plugins are.
  const env = process.env;
  const parsed = parseTOMLWithPositions(text);
  const { dir, disabled, is_from_env } = readNamedPlugins({ text, env, parsed });
  const folder = dir === undefined ? {} : { dir: is_from_env ? resolve(dir) : resolve(dirname(file), dir) };
  const plugins = await loadPlugins({ plugins: { ...folder, disabled } });
  const loaded = loadConfig({ text, file, env, parsed, own: collectOwnTables(plugins.known) });
  if (!loaded.ok) return faultsOf(loaded.faults);
  const config = resolvePaths(loaded, file);
  const read = createOwnConfig({ providers: config.providers.tables, plugins: config.plugins.tables }, plugins.known);
  const settings: PathSettings = {
    brand: config.node.brand,
    config: (of: TObject | ProviderDefinition) => read(of) as never,
  };
  const faults = checkNames(loaded, {
    providers: collectProviders(plugins.known).map((provider) => provider.id),
    products: [
      ...plugins.known.flatMap((plugin) => plugin.products.flatMap(({ product }) => listPriceNames(product, settings))),
      // A price for a product that was left out for its faults is accepted: the node runs without the product.
      ...plugins.known.flatMap(({ left_out = [] }) =>
        left_out.flatMap((path) => [path, ...Object.keys(loaded.config.prices).filter((name) => isTierOf(name, path))]),
      ),
      ...createPlans(loaded.config.plans).map((plan) => String(plan.path)),
      BASKET_PATH,
    ],
    plugins: plugins.known.map((plugin) => plugin.id),
  });
  if (faults.length > 0) return faultsOf(faults);
  if (loaded.config.prices[BASKET_PATH] !== undefined) {
    return { faults: `${file}: prices."${BASKET_PATH}": a basket costs what is in it: set "discount" of [basket]` };
  }
  const of_plans = findPlanFaults(loaded.config.plans);
  if (of_plans.length > 0) return { faults: `${file}: ${of_plans.join(`\n${file}: `)}` };
  return { config, plugins, read: loaded };
}

/**
 * Resolves relative paths from the place where they are written: the file's folder, or the current folder if they come
 * from the environment. Otherwise a node started in another folder would make another ledger.
 */
function resolvePaths({ config, origins }: LoadedConfig, file: string): Config {
  const from = (path: string, ...key: Path) =>
    origins.get(pathKey(key))?.startsWith("env ") ? resolve(path) : resolve(dirname(file), path);
  const { data, backup, plugins, facilitators } = config;
  return {
    ...config,
    data: { ...data, dir: from(data.dir, "data", "dir") },
    backup: { ...backup, ...(backup.dir === undefined ? {} : { dir: from(backup.dir, "backup", "dir") }) },
    plugins: { ...plugins, ...(plugins.dir === undefined ? {} : { dir: from(plugins.dir, "plugins", "dir") }) },
    facilitators: facilitators.map((entry, index) =>
      entry.gas_key_file === undefined
        ? entry
        : { ...entry, gas_key_file: from(entry.gas_key_file, "facilitators", index, "gas_key_file") },
    ),
  };
}

/** Every secret text of a configuration, for the log's scrubber. */
export function secretsOf({ config, read }: LoadedFile): readonly string[] {
  const { providers, plugins } = config;
  const whole = { ...config, providers: providers.tables, plugins: plugins.tables };
  return [
    ...[...leavesOf(read.schema, whole)].flatMap(({ schema, value }) =>
      schema.secret === true && typeof value === "string" ? [value] : [],
    ),
    ...config.facilitators.flatMap((entry) => Object.values(entry.headers ?? {})),
    ...facilitatorKeysOf(config),
  ];
}

const isTierOf = (name: string, path: string): boolean => name.startsWith(`${path}?`);

/** The names that `[prices]` may use for a product: its path, and its path with a value that has its own price. */
function listPriceNames({ path: default_path, locate, tiers }: AnyProduct, settings: PathSettings): readonly string[] {
  const values = Object.keys(tiers?.prices ?? {});
  const paths = [...new Set([default_path, locate?.(settings) ?? default_path])];
  return paths.flatMap((path) => [path, ...values.map((value) => tierKey(path, tiers?.param ?? "", value))]);
}
