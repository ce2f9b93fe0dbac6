import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** Folders whose files plugins import one by one, as "intel-node/<name>/<file>". */
const MODULE_FOLDERS: Readonly<Record<string, string>> = {
  providers: "src/upstream/providers",
  quant: "src/quant",
  series: "src/upstream/series",
};
/** Modules that plugins import as a whole. */
export const MODULE_FILES: Readonly<Record<string, string>> = {
  "intel-node": "src/catalog/plugin-api.ts",
  "intel-node/chains": "src/upstream/chains.ts",
};

/** Plugins import neither tests nor simulators, which belong to the sandbox. */
const isOffered = (file: string): boolean =>
  file.endsWith(".ts") && !file.endsWith(".test.ts") && !file.endsWith(".d.ts") && !/(^|\/)simulat/.test(file);

/** Every module of the folders, by name, with its file, sorted. */
export function listPluginModules(root: string): readonly { readonly name: string; readonly file: string }[] {
  return Object.entries(MODULE_FOLDERS).flatMap(([name, folder]) => {
    const path = join(root, folder);
    if (!existsSync(path)) return [];
    return readdirSync(path, { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll("\\", "/"))
      .filter(isOffered)
      .sort()
      .map((file) => ({ name: `intel-node/${name}/${file.slice(0, -".ts".length)}`, file: posix.join(folder, file) }));
  });
}

/** The name under which a plugin imports a file of the node; null if the file is not a module. */
function moduleOf(target: string): string | null {
  for (const [name, folder] of Object.entries(MODULE_FOLDERS)) {
    if (target.startsWith(`${folder}/`)) return `intel-node/${name}/${target.slice(folder.length + 1, -".ts".length)}`;
  }
  return null;
}

const STATEMENT = /^(import|export) (type )?\{([^}]*)\} from "([^"]+)";\n/gm;

interface Named {
  readonly text: string;
  readonly is_type: boolean;
}

const readNames = (list: string, all_types: boolean): readonly Named[] =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => ({ text: name.replace(/^type /, ""), is_type: all_types || name.startsWith("type ") }));

const renderImport = (from: string, names: readonly Named[]): string => {
  const all_types = names.every(({ is_type }) => is_type);
  const listed = names.map(({ text, is_type }) => (is_type && !all_types ? `type ${text}` : text));
  return `import ${all_types ? "type " : ""}{ ${[...new Set(listed)].join(", ")} } from "${from}";\n`;
};

/** The exports of "intel-node", by name. */
export const readApiNames = (root: string): ReadonlySet<string> =>
  new Set(
    [...readFileSync(join(root, MODULE_FILES["intel-node"] ?? ""), "utf8").matchAll(/\{([^}]*)\}/g)].flatMap(
      ([, list]) => readNames(list ?? "", false).map(({ text }) => text.split(" as ").at(-1) ?? text),
    ),
  );

/**
 * Rewrites the imports in a built-in plugin's file into those of an operator's plugin: an import by relative path from
 * the node's own folders becomes one from "intel-node" or one of its modules. Names that none of these export stay
 * unchanged.
 * @param path of the file from the root, such as "src/plugins/fx/forex-rate/fetch.ts".
 */
export function rewriteImports(path: string, source: string, api: ReadonlySet<string>): string {
  const taken: Named[] = [];
  const statements: string[] = [];
  const rewritten = source.replace(
    STATEMENT,
    (whole, verb: string, type: string | undefined, list: string, from: string) => {
      const names = readNames(list, type !== undefined);
      const is_api = from === "intel-node";
      if (!from.startsWith(".") && !is_api) return whole;
      const target = is_api ? "" : posix.join(posix.dirname(path), from);
      if (target.startsWith("src/plugins/")) return whole;
      const module = moduleOf(target);
      if (module !== null) return whole.replace(`"${from}"`, `"${module}"`);
      const known = names.every(({ text }) => api.has(text.split(" as ")[0] ?? text));
      if (!known) return whole;
      if (verb === "export") return whole.replace(`"${from}"`, '"intel-node"');
      taken.push(...names);
      statements.push(whole);
      return "\u0000";
    },
  );
  if (taken.length === 0) return rewritten;
  // An import already in that form stays unchanged, including its line breaks.
  const [only = ""] = statements;
  if (statements.length === 1 && only.endsWith('"intel-node";\n')) return rewritten.replace("\u0000", () => only);
  const unique = taken.filter(
    ({ text, is_type }, index) =>
      taken.findIndex((one) => one.text === text) === index || (!is_type && taken.every((one) => one.text !== text)),
  );
  // A name used as a value anywhere is imported as a value.
  const names = unique.map(({ text }) => ({ text, is_type: taken.every((one) => one.text !== text || one.is_type) }));
  return rewritten.replace("\u0000", renderImport("intel-node", names)).replaceAll("\u0000", "");
}
