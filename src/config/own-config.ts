import type { TObject } from "@sinclair/typebox";
import { type CatalogFault, collectProviders } from "../catalog/catalog.ts";
import type { LoadedPlugin } from "../catalog/plugin.ts";
import type { ProviderDefinition } from "../catalog/provider.ts";
import type { Config, OwnTables } from "./schema.ts";
import { walk } from "./walk.ts";

/** What these plugins and their providers declare of the configuration. */
export function collectOwnTables(plugins: readonly LoadedPlugin[]): OwnTables {
  const of_plugins = plugins.flatMap(({ id, config }) => (config ? [[id, config] as const] : []));
  const of_providers = collectProviders(plugins).flatMap(({ id, config }) => (config ? [[id, config] as const] : []));
  return { plugins: Object.fromEntries(of_plugins), providers: Object.fromEntries(of_providers) };
}

/** By the id of a provider or plugin. */
type Tables = Readonly<Record<string, object | undefined>>;

/**
 * What runs read of their own configuration. A value is worked out with its first use, from a configuration that was
 * checked when it was loaded; tests and the demo leave tables out, and get the defaults.
 * @returns a reader of a provider's own keys, or of a plugin's table by the schema that declares it.
 */
export function createOwnConfig(
  tables: { readonly providers?: Tables; readonly plugins?: Tables },
  plugins: readonly LoadedPlugin[],
): (of: TObject | ProviderDefinition) => unknown {
  const owners = new Map<unknown, string>(plugins.flatMap(({ id, config }) => (config ? [[config, id] as const] : [])));
  const known = new Map<TObject | ProviderDefinition, unknown>();
  const read = (schema: TObject, table: unknown): unknown => {
    const names = Object.keys(schema.properties);
    const given = Object.entries(table ?? {}).filter(([name]) => names.includes(name));
    return Object.freeze(walk(schema, Object.fromEntries(given)).value);
  };
  const find = (of: TObject | ProviderDefinition): unknown => {
    if (!isTable(of)) return of.config ? read(of.config, tables.providers?.[of.id]) : Object.freeze({});
    const id = owners.get(of);
    if (id === undefined) throw new Error("context.config: no plugin declares this table as its config");
    return read(of, tables.plugins?.[id]);
  };
  return (of) => {
    if (!known.has(of)) known.set(of, find(of));
    return known.get(of);
  };
}

/** The configuration as it is in force: what a reload may change is read from here whenever it is needed. */
export interface InForce {
  readonly config: Config;
  readonly loaded: {
    readonly plugins: readonly LoadedPlugin[];
    readonly known: readonly LoadedPlugin[];
    /** Left out where nobody makes a catalog of them. */
    readonly faults?: readonly CatalogFault[];
  };
  /** What the operator set of a provider's own keys, or in a plugin's table. */
  readonly own: (of: TObject | ProviderDefinition) => unknown;
  exchange(config: Config, loaded: InForce["loaded"]): void;
}

export function createInForce(first: Config, loaded: InForce["loaded"]): InForce {
  const prepare = (config: Config, { known }: InForce["loaded"]) =>
    createOwnConfig({ providers: config.providers.tables, plugins: config.plugins.tables }, known);
  let current = { config: first, loaded, own: prepare(first, loaded) };
  let before: InForce["own"] | null = null;
  return {
    get config() {
      return current.config;
    },
    get loaded() {
      return current.loaded;
    },
    own(of) {
      try {
        return current.own(of);
      } catch (error) {
        // A call that began before the exchange asks for the table of a definition that is no longer there.
        if (before === null) throw error;
        return before(of);
      }
    },
    exchange(config, next) {
      before = current.own;
      current = { config, loaded: next, own: prepare(config, next) };
    },
  };
}

const isTable = (of: TObject | ProviderDefinition): of is TObject => !("base_urls" in of);
