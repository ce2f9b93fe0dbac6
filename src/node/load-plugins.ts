import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import * as typebox from "@sinclair/typebox";
import { plugin as registerModules } from "bun";
import type { CatalogFault } from "../catalog/catalog.ts";
import { findDefinition, findThrown, listUnknown, type SourceLine } from "../catalog/definition-site.ts";
import { listConfigFaults } from "../catalog/own-config.ts";
import { JOB_OPTIONS, type LoadedPlugin, PLUGIN_OPTIONS, type PluginDefinition } from "../catalog/plugin.ts";
import * as api from "../catalog/plugin-api.ts";
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
      plugins.push(readPlugin(await importWithin(file, load_ms_max), file));
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
 * One plugin file alone, for a thread of its own: what the node loaded is not there.
 * @throws Error when it cannot be loaded.
 */
export async function loadPluginFile(file: string): Promise<LoadedPlugin> {
  registerHostModules();
  return readPlugin(await importWithin(file, LOAD_MS_MAX), file);
}

/** The fault's own line where that stands in a file of the operator's, else the file that was loaded. */
function whereOf(error: unknown, file: string, root: string): SourceLine | { readonly file: string } {
  const found = error instanceof DefinitionFault ? error.where : findThrown(error);
  return found?.file.startsWith(`${root}/`) ? found : { file };
}

/** What the bundler says of a file it could not read stands in the errors it gathered. */
function describeFault(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [];
  return messageOf(first ?? error);
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

/** The default export of a plugin file, checked as far as later code relies on it. */
function readPlugin(loaded: unknown, file: string): LoadedPlugin {
  const exported = typeof loaded === "object" && loaded !== null && "default" in loaded ? loaded.default : undefined;
  if (typeof exported !== "object" || exported === null) {
    throw new DefinitionFault("has no default export made by definePlugin", null);
  }
  const definition = exported as Partial<PluginDefinition>;
  const {
    id,
    title,
    config,
    dated,
    products = [],
    routes = [],
    jobs = [],
    tables = [],
    datasets = [],
    simulators = [],
  } = definition;
  const must = (condition: boolean, message: string, at: unknown = exported) => {
    if (!condition) throw new DefinitionFault(message, isDefinition(at) ? findDefinition(at) : null);
  };
  const [unknown] = listUnknown(exported, PLUGIN_OPTIONS);
  must(unknown === undefined, unknown ?? "");
  must(typeof id === "string" && ID.test(id), "the plugin's id must be kebab-case");
  must(id !== "dir" && id !== "disabled", `the plugin's id cannot be "${id}": a key of [plugins] is called so`);
  const [of_config] = config === undefined ? [] : listConfigFaults(config);
  must(of_config === undefined, of_config ?? "");
  must(dated === undefined || typeof dated === "function", "dated must be a function of the plugin's config");
  must(typeof title === "string" && title !== "", "the plugin's title is missing");
  for (const list of [products, routes, jobs, tables, datasets, simulators]) {
    must(Array.isArray(list), "products, routes, jobs, tables, datasets and simulators must be lists");
  }
  for (const product of products) {
    const are_lists = Array.isArray(product?.providers) && Array.isArray(product?.requires);
    must(are_lists, `product ${String(product?.path)}: providers and requires must be lists`, product);
  }
  for (const job of jobs) {
    const [fault] = listUnknown(job, JOB_OPTIONS);
    must(fault === undefined, `job ${String(job?.id)}: ${fault}`, job);
    must(Array.isArray(job?.providers), `job ${String(job?.id)}: providers must be a list`, job);
  }
  return {
    id: String(id),
    title: String(title),
    file,
    origin: "operator",
    products: products.map((product) => ({ file, product })),
    routes,
    jobs,
    tables,
    datasets,
    simulators,
    config,
    dated,
  };
}

const isDefinition = (value: unknown): value is object => typeof value === "object" && value !== null;
