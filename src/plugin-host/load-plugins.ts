import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import * as typebox from "@sinclair/typebox";
import { plugin as registerModules } from "bun";
import type { CatalogFault } from "../catalog/catalog.ts";
import { listProductOptionFaults } from "../catalog/check-product.ts";
import { findDefinition, findThrown, type SourceLine } from "../catalog/definition-site.ts";
import { LIST, listOptionFaults, type OptionTable } from "../catalog/option-rules.ts";
import { listConfigFaults } from "../catalog/own-config.ts";
import {
  ERRORS_BELOW_OPTIONS,
  JOB_OPTIONS,
  type LoadedPlugin,
  PLUGIN_OPTIONS,
  type PluginDefinition,
} from "../catalog/plugin.ts";
import * as api from "../catalog/plugin-api.ts";
import type { AnyProduct } from "../catalog/product.ts";
import { listProviderOptionFaults, nameProvider } from "../catalog/provider.ts";
import { SIMULATOR_OPTIONS } from "../catalog/simulator.ts";
import { closest } from "../core/closest.ts";
import { messageOf } from "../core/errors.ts";
import { PLUGIN_MODULES } from "./plugin-modules.gen.ts";

const ID = /^[a-z][a-z0-9-]{0,39}$/;
const PLUGINS_MAX = 200;

/** Enough for a file that opens what it ships with; no upstream has to be asked before the node runs. */
const LOAD_MS_MAX = 10_000;

let registered = false;

/** Makes `import … from "intel-node"` work in files that are loaded from outside the binary. */
function registerHostModules(): void {
  if (registered) return;
  registered = true;
  registerModules({
    name: "intel-node",
    setup(build) {
      build.module("intel-node", () => ({ exports: { ...api }, loader: "object" }));
      // Only what a plugin asks for is run, with its first use.
      for (const [name, load] of Object.entries(PLUGIN_MODULES)) {
        build.module(name, async () => ({ exports: { ...(await load()) }, loader: "object" }));
      }
      build.module("@sinclair/typebox", () => ({ exports: { ...typebox }, loader: "object" }));
    },
  });
}

/** Plugin files of a folder: its .ts and .js files, and index.ts or index.js of its sub-folders. */
function listPluginFiles(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => !name.startsWith(".") && name !== "node_modules" && !/\.(test|d)\.ts$/.test(name))
    .sort()
    .map((name) => join(directory, name))
    .flatMap((path) => {
      if (!statSync(path).isDirectory()) return /\.(ts|js)$/.test(path) ? [path] : [];
      const index = ["index.ts", "index.js"].map((name) => join(path, name)).find((file) => existsSync(file));
      return index ? [index] : [];
    })
    .slice(0, PLUGINS_MAX);
}

/** By folder: when its files were changed, at the time they were last loaded. */
const loaded_as = new Map<string, ReadonlyMap<string, string>>();

function readStamps(root: string): ReadonlyMap<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => !name.split(sep).includes("node_modules")).map((name) => join(root, name));
  return new Map(
    files.flatMap((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return stat?.isFile() ? [[file, `${stat.mtimeMs} ${stat.size}`] as const] : [];
    }),
  );
}

/**
 * Lets what has changed since it was last loaded be read anew: the runtime would go on with what it knows. A plugin is
 * its file, or its folder; what belongs to none is everybody's. While nothing has changed, the same definitions are
 * handed out again.
 */
function forgetChanged(root: string): void {
  const now = readStamps(root);
  const before = loaded_as.get(root) ?? now;
  loaded_as.set(root, now);
  const changed = [...before.keys()].filter((file) => now.get(file) !== before.get(file));
  if (changed.length === 0) return;
  const places = listPluginFiles(root).map((file) => (dirname(file) === root ? file : dirname(file) + sep));
  const placeOf = (file: string): string | undefined =>
    places.find((place) => file === place || (place.endsWith(sep) && file.startsWith(place)));
  const whole = changed.some((file) => now.has(file) && placeOf(file) === undefined);
  const gone = new Set(changed.map((file) => placeOf(file) ?? file));
  for (const file of Object.keys(require.cache)) {
    if (!file.startsWith(`${root}${sep}`)) continue;
    if (whole || gone.has(file) || gone.has(placeOf(file) ?? "")) delete require.cache[file];
  }
}

/**
 * Loads an operator's plugin folder. A file that cannot be loaded is reported and left out: it never stops the node.
 */
export async function loadOperatorPlugins(
  directory: string,
  load_ms_max = LOAD_MS_MAX,
): Promise<{ plugins: readonly LoadedPlugin[]; faults: readonly CatalogFault[] }> {
  const plugins: LoadedPlugin[] = [];
  const faults: CatalogFault[] = [];
  const root = resolve(directory);
  if (!existsSync(root)) return { plugins, faults: [{ file: root, message: "the plugin folder does not exist" }] };
  const open = whyOpenToOthers(root);
  if (open !== null) return { plugins, faults: [{ file: root, message: open }] };
  registerHostModules();
  forgetChanged(root);
  for (const file of listPluginFiles(root)) {
    try {
      const open_file = whyOpenToOthers(dirname(file)) ?? whyOpenToOthers(file);
      if (open_file !== null) throw new DefinitionFault(open_file, null);
      const read = readPlugin(await importWithin(file, load_ms_max), file);
      plugins.push(read.plugin);
      faults.push(...read.faults);
    } catch (error) {
      faults.push({ ...whereOf(error, file, root), message: describeFault(error) });
    }
  }
  return { plugins, faults };
}

/**
 * A plugin runs with the node's rights, over its books and keys: who may change it may do anything.
 * @returns why somebody else may, or null.
 */
function whyOpenToOthers(path: string): string | null {
  const { getuid, getgid } = process;
  if (getuid === undefined || getgid === undefined) return null;
  const { uid, gid, mode } = statSync(path);
  const user = getuid();
  if (uid !== user && uid !== 0) return `belongs to user ${uid}: "chown -R ${user} ${path}" if it is yours`;
  // A group of one's own is no other user.
  const by_group = (mode & 0o020) !== 0 && gid !== getgid();
  if (by_group || (mode & 0o002) !== 0) return `may be written by others: "chmod -R go-w ${path}"`;
  return null;
}

/**
 * One plugin file alone, for its own thread: what the node loaded is not there.
 * @throws Error when it cannot be loaded.
 */
export async function loadPluginFile(file: string): Promise<LoadedPlugin> {
  registerHostModules();
  return readPlugin(await importWithin(file, LOAD_MS_MAX), file).plugin;
}

/** The fault's own line if that is in a file of the operator's, else the file that was loaded. */
function whereOf(error: unknown, file: string, root: string): SourceLine | { readonly file: string } {
  const found = error instanceof DefinitionFault ? error.where : (findThrown(error) ?? findImport(error));
  return found?.file.startsWith(`${root}/`) ? found : { file };
}

/** What the bundler says of a file it could not read is in the errors it gathered. */
function describeFault(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  const asked = isUnresolved(error) ? error.specifier : "";
  // The runtime names the package alone, which is there.
  if (!asked.startsWith("intel-node/")) return messageOf(first ?? error);
  const nearest = closest(asked, Object.keys(PLUGIN_MODULES));
  return `the node has no module "${asked}"${nearest === undefined ? "" : `: did you mean "${nearest}"?`}`;
}

/** What the runtime throws for an import that leads nowhere. */
interface Unresolved {
  readonly specifier: string;
  readonly referrer: string;
}

const isUnresolved = (error: unknown): error is Unresolved =>
  error instanceof ResolveMessage && typeof error.specifier === "string" && typeof error.referrer === "string";

/** The line of an import that leads nowhere: the first that names what it asks for. */
function findImport(error: unknown): SourceLine | null {
  if (!isUnresolved(error) || !existsSync(error.referrer)) return null;
  const { specifier, referrer: file } = error;
  const rows = readFileSync(file, "utf8").split("\n");
  const index = rows.findIndex((row) => row.includes(`"${specifier}"`) || row.includes(`'${specifier}'`));
  return index < 0 ? null : { file, line: index + 1 };
}

/** A plugin that can be read but says something wrong. */
class DefinitionFault extends TypeError {
  override readonly name = "DefinitionFault";
  constructor(
    message: string,
    readonly where: SourceLine | null,
  ) {
    super(message);
  }
}

/**
 * Runs a plugin's file. One that awaits what never comes must not keep the node from starting; one that never gives the
 * thread back cannot be stopped from within it.
 */
async function importWithin(file: string, load_ms_max: number): Promise<unknown> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(
      new DefinitionFault(`was not loaded within ${load_ms_max} ms: a top-level await that never ends`, null),
    );
  }, load_ms_max);
  try {
    return await Promise.race([import(pathToFileURL(file).href), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

interface ReadPlugin {
  readonly plugin: LoadedPlugin;
  /** Products that are left out. */
  readonly faults: readonly CatalogFault[];
}

/** The default export of a plugin file, checked as far as later code relies on it. */
function readPlugin(loaded: unknown, file: string): ReadPlugin {
  const exported = typeof loaded === "object" && loaded !== null && "default" in loaded ? loaded.default : undefined;
  if (typeof exported !== "object" || exported === null) {
    throw new DefinitionFault("has no default export made by definePlugin", null);
  }
  const must = (condition: boolean, message: string, at: unknown = exported) => {
    if (!condition) throw new DefinitionFault(message, whereDefined(at));
  };
  const mustFit = (given: unknown, rules: OptionTable["rules"], name: string) => {
    const { all, unknown } = listOptionFaults([{ given, rules }]);
    // What is written wrong may be what seems to be missing.
    must(all.length === 0, `${name}${(unknown.length > 0 ? unknown : all).join("; ")}`, given);
  };
  mustFit(exported, PLUGIN_OPTIONS, "");
  const definition = exported as PluginDefinition;
  const { id, title, config, dated, errors_below } = definition;
  const { routes = [], jobs = [], tables = [], datasets = [], simulators = [] } = definition;
  must(ID.test(id), "the plugin's id must be kebab-case");
  must(id !== "dir" && id !== "disabled", `the plugin's id cannot be "${id}": a key of [plugins] is called so`);
  const [of_config] = config === undefined ? [] : listConfigFaults(config);
  must(of_config === undefined, of_config ?? "");
  if (errors_below !== undefined) mustFit(errors_below, ERRORS_BELOW_OPTIONS, "errors_below: ");
  for (const job of jobs) mustFit(job, JOB_OPTIONS, `job ${String(job.id)}: `);
  for (const one of simulators) mustFit(one, SIMULATOR_OPTIONS, `simulator of ${String(one.provider)}: `);
  for (const dataset of datasets) must(LIST.holds(dataset.providers), "dataset: providers must be a list", dataset);
  const products = (definition.products ?? []).map((product) => {
    const { all, is_usable } = listProductOptionFaults(product);
    return { product, all, is_usable };
  });
  const usable = products.flatMap(({ product, is_usable }) => (is_usable ? [product] : []));
  // In plain JavaScript one may be written without defineProvider.
  for (const provider of [...usable, ...jobs, ...datasets].flatMap((one) => one.providers)) {
    const of_provider = listProviderOptionFaults(provider);
    must(of_provider.length === 0, `${nameProvider(provider)}: ${of_provider.join("; ")}`, provider);
  }
  const faults = products.flatMap(({ product, all, is_usable }) => {
    const where = whereDefined(product) ?? { file };
    return is_usable ? [] : all.map((message) => ({ ...where, message: `${nameProduct(product)}${message}` }));
  });
  const plugin: LoadedPlugin = {
    id,
    title,
    file,
    origin: "operator",
    config,
    dated,
    errors_below,
    routes,
    jobs,
    tables,
    datasets,
    simulators,
    products: usable.map((product) => ({ file, product })),
    left_out: products.flatMap(({ product: { path }, is_usable }) =>
      is_usable || typeof path !== "string" ? [] : [path],
    ),
  };
  return { plugin, faults };
}

const whereDefined = (value: unknown): SourceLine | null =>
  typeof value === "object" && value !== null ? findDefinition(value) : null;

/** How a fault names a product: by its path, if it has one. */
const nameProduct = ({ path }: AnyProduct): string => (typeof path === "string" ? `${path}: ` : "");
