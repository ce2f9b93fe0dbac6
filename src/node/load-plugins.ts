import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import * as typebox from "@sinclair/typebox";
import { plugin as registerModules } from "bun";
import type { CatalogFault } from "../catalog/catalog.ts";
import type { LoadedPlugin, PluginDefinition } from "../catalog/plugin.ts";
import * as api from "../catalog/plugin-api.ts";
import { messageOf } from "../core/errors.ts";

const ID = /^[a-z][a-z0-9-]{0,39}$/;
const PLUGINS_MAX = 200;

let registered = false;

/** Makes `import … from "intel-node"` work in files that are loaded from outside the binary. */
function registerHostModules(): void {
  if (registered) return;
  registered = true;
  registerModules({
    name: "intel-node",
    setup(build) {
      build.module("intel-node", () => ({ exports: { ...api }, loader: "object" }));
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

/**
 * Loads an operator's plugin folder. A file that cannot be loaded is reported and left out: it never stops the node.
 */
export async function loadOperatorPlugins(
  directory: string,
): Promise<{ plugins: readonly LoadedPlugin[]; faults: readonly CatalogFault[] }> {
  const plugins: LoadedPlugin[] = [];
  const faults: CatalogFault[] = [];
  const root = resolve(directory);
  if (!existsSync(root)) return { plugins, faults: [{ file: root, message: "the plugin folder does not exist" }] };
  registerHostModules();
  for (const file of listPluginFiles(root)) {
    try {
      const loaded: unknown = await import(pathToFileURL(file).href);
      plugins.push(readPlugin(loaded, file));
    } catch (error) {
      faults.push({ file, message: messageOf(error) });
    }
  }
  return { plugins, faults };
}

/** The default export of a plugin file, checked as far as later code relies on it. */
function readPlugin(loaded: unknown, file: string): LoadedPlugin {
  const exported = typeof loaded === "object" && loaded !== null && "default" in loaded ? loaded.default : undefined;
  if (typeof exported !== "object" || exported === null)
    throw new TypeError("has no default export made by definePlugin");
  const definition = exported as Partial<PluginDefinition>;
  const { id, title, products = [], jobs = [], simulators = [] } = definition;
  if (typeof id !== "string" || !ID.test(id)) throw new TypeError("the plugin's id must be kebab-case");
  if (typeof title !== "string" || title === "") throw new TypeError("the plugin's title is missing");
  for (const list of [products, jobs, simulators]) {
    if (!Array.isArray(list)) throw new TypeError("products, jobs and simulators must be lists");
  }
  for (const product of products) {
    if (!Array.isArray(product?.providers) || !Array.isArray(product?.requires)) {
      throw new TypeError(`product ${String(product?.path)}: providers and requires must be lists`);
    }
  }
  return {
    id,
    title,
    file,
    origin: "operator",
    products: products.map((product) => ({ file, product })),
    jobs,
    simulators,
  };
}
