import type { TSchema } from "@sinclair/typebox";
import { closest } from "../core/closest.ts";
import { readEnv } from "./env.ts";
import { checkRules } from "./rules.ts";
import { type Config, createConfigSchema, NO_OWN_TABLES, type OwnTables, type ProviderTable } from "./schema.ts";
import { type ParsedTOML, parseTOMLWithPositions, pathKey, type TextPosition } from "./toml.ts";
import { childSchema, leavesOf, type Path, walk } from "./walk.ts";

export interface ConfigFault {
  /** The file, or "environment". */
  readonly file: string;
  /** 0 when the fault has no line, such as an environment variable. */
  readonly line: number;
  readonly column: number;
  readonly code: "syntax" | "unknown_key" | "wrong_value" | "missing_key" | "rule" | "unknown_name";
  readonly key: string;
  readonly message: string;
  readonly nearest?: string | undefined;
  /** The lines around it, secrets masked; "" without a line. */
  readonly frame: string;
}

export interface LoadedConfig {
  readonly ok: true;
  readonly config: Config;
  /** What it was read by: the tables of plugins and providers included. */
  readonly schema: TSchema;
  /** By pathKey: "node.toml:12", "env INTEL_NODE_SERVER_PORT" or "default". */
  readonly origins: ReadonlyMap<string, string>;
  readonly source: {
    readonly text: string;
    readonly file: string;
    readonly positions: ReadonlyMap<string, TextPosition>;
  };
}

export type LoadResult = LoadedConfig | { readonly ok: false; readonly faults: readonly ConfigFault[] };

export interface LoadOptions {
  readonly text: string;
  readonly file: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What plugins and providers declare; nothing unless given. */
  readonly own?: OwnTables;
  /** The text, where it was parsed before. */
  readonly parsed?: ParsedTOML;
}

/** Reads the configuration. Every fault is reported, in file order; nothing is guessed. The environment wins. */
export function loadConfig({
  text,
  file,
  env,
  own = NO_OWN_TABLES,
  parsed = parseTOMLWithPositions(text),
}: LoadOptions): LoadResult {
  const schema = createConfigSchema(own);
  const faultAt = faultMaker(text, file, parsed.positions);
  const { settings, faults: env_faults } = readEnv(schema, env);
  const given: Record<string, unknown> = structuredClone(parsed.value);
  const from_env = new Map(settings.map((setting) => [pathKey(setting.path), setting.name]));

  // The file alone is checked first, so that an override does not hide what is wrong in it.
  const of_file = walk(schema, given);
  const file_faults = of_file.faults.map((fault) => faultAt(fault.path, fault));
  for (const setting of settings) assign(given, setting.path, setting.value);
  const { value, faults: merged_faults } = settings.length === 0 ? of_file : walk(schema, given);
  const added = merged_faults
    .filter((fault) => from_env.has(pathKey(fault.path)))
    .map((fault) => ({ name: from_env.get(pathKey(fault.path)) ?? "", message: fault.message }));

  const config = toConfig(value);
  const is_typed = of_file.faults.length + merged_faults.length === 0;
  const rules = checkRules(config, is_typed).map(({ path, message }) => faultAt(path, { code: "rule", message }));
  const syntax = parsed.faults.map(({ line, column, message }) => ({
    file,
    line,
    column,
    code: "syntax" as const,
    key: "",
    message,
    frame: renderFrame(text, { line, column }),
  }));
  const of_env = [...env_faults, ...added].map((fault) => ({
    file: "environment",
    line: 0,
    column: 0,
    code: "wrong_value" as const,
    key: fault.name,
    message: fault.message,
    nearest: "nearest" in fault ? fault.nearest : undefined,
    frame: "",
  }));
  const faults = [...syntax, ...file_faults, ...rules, ...of_env].sort(inFileOrder);
  if (faults.length > 0) return { ok: false, faults };

  const origins = new Map<string, string>();
  for (const { path } of leavesOf(schema, value)) {
    const key = pathKey(path);
    const variable = from_env.get(key);
    const position = parsed.positions.get(key);
    const in_file = position ? `${file}:${position.line}` : "default";
    origins.set(key, variable ? `env ${variable}` : in_file);
  }
  return { ok: true, config, schema, origins, source: { text, file, positions: parsed.positions } };
}

/** Names that only the loaded plugins know. */
export interface KnownNames {
  readonly providers: readonly string[];
  readonly products: readonly string[];
  readonly plugins: readonly string[];
}

/** The second pass: provider ids, product paths and plugin ids that nothing answers to. */
export function checkNames({ config, source }: LoadedConfig, known: KnownNames): readonly ConfigFault[] {
  const faultAt = faultMaker(source.text, source.file, source.positions);
  const named: readonly { path: Path; name: string; what: string; among: readonly string[] }[] = [
    ...Object.keys(config.providers.tables).map((id) => ({
      path: ["providers", id],
      name: id,
      what: "provider",
      among: known.providers,
    })),
    ...(["floors", "ceilings"] as const).flatMap((table) =>
      Object.keys(config.metering[table]).map((path) => ({
        path: ["metering", table, path],
        name: path,
        what: "product",
        among: known.products,
      })),
    ),
    ...Object.keys(config.prices).map((path) => ({
      path: ["prices", path],
      name: path,
      what: "product",
      among: known.products,
    })),
    ...Object.entries(config.aliases).map(([alias, target]) => ({
      path: ["aliases", alias],
      name: String(target),
      what: "product",
      among: known.products,
    })),
    ...config.products.off.map((path, index) => ({
      path: ["products", "off", index],
      name: path,
      what: "product",
      // A value with its own price is not a product.
      among: known.products.filter((one) => !one.includes("?")),
    })),
    ...config.providers.off.map((id, index) => ({
      path: ["providers", "off", index],
      name: id,
      what: "provider",
      among: known.providers,
    })),
    ...config.plugins.disabled.map((id, index) => ({
      path: ["plugins", "disabled", index],
      name: id,
      what: "plugin",
      among: known.plugins,
    })),
  ];
  return named
    .filter(({ name, among }) => !among.includes(name))
    .map(({ path, name, what, among }) =>
      faultAt(path, { code: "unknown_name", message: `no ${what} "${name}"`, nearest: closest(name, among) }),
    )
    .sort(inFileOrder);
}

const inFileOrder = (a: ConfigFault, b: ConfigFault): number => {
  const line = (fault: ConfigFault) => (fault.line === 0 ? Number.MAX_SAFE_INTEGER : fault.line);
  return line(a) - line(b) || a.column - b.column;
};

/** Splits the tables of providers and plugins from the keys beside them. */
function toConfig(value: unknown): Config {
  const { providers, plugins, ...rest } = value as Config & {
    readonly providers: Readonly<Record<string, unknown>>;
    readonly plugins: Readonly<Record<string, unknown>>;
  };
  const { allow_terms, off, ...of_providers } = providers as Record<string, unknown>;
  const { dir, disabled, ...of_plugins } = plugins as Record<string, unknown>;
  return {
    ...rest,
    providers: {
      allow_terms: allow_terms as Config["providers"]["allow_terms"],
      off: off as Config["providers"]["off"],
      tables: of_providers as Record<string, ProviderTable>,
    },
    plugins: {
      ...(dir === undefined ? {} : { dir: dir as string }),
      disabled: disabled as Config["plugins"]["disabled"],
      tables: of_plugins as Record<string, object>,
    },
  };
}

/** Which plugins a configuration names, and where from: known before the plugins themselves, whose tables it holds. */
export interface NamedPlugins {
  readonly dir?: string;
  readonly disabled: readonly string[];
  /** Whether the environment names the folder. */
  readonly is_from_env: boolean;
}

/** Reads only `[plugins] dir` and `disabled`; what is wrong with them is said when the whole is loaded. */
export function readNamedPlugins({
  text,
  env,
  parsed = parseTOMLWithPositions(text),
}: Pick<LoadOptions, "text" | "env" | "parsed">): NamedPlugins {
  const schema = createConfigSchema(NO_OWN_TABLES);
  const given: Record<string, unknown> = structuredClone(parsed.value);
  const { settings } = readEnv(schema, env);
  for (const { path, value } of settings) assign(given, path, value);
  // The rest of the file is looked at with what the plugins declare.
  const table = childSchema(schema, "plugins") as TSchema;
  const { dir, disabled } = walk(table, given.plugins, ["plugins"]).value as Config["plugins"];
  const is_from_env = settings.some(({ path }) => pathKey(path) === pathKey(["plugins", "dir"]));
  return { ...(dir === undefined ? {} : { dir }), disabled, is_from_env };
}

function assign(target: Record<string, unknown>, path: Path, value: unknown): void {
  let inner: Record<string | number, unknown> = target;
  for (const [index, name] of path.slice(0, -1).entries()) {
    const next = inner[name];
    const made = typeof path[index + 1] === "number" ? [] : {};
    if (typeof next !== "object" || next === null) inner[name] = made;
    inner = inner[name] as Record<string | number, unknown>;
  }
  const last = path.at(-1);
  if (last !== undefined) inner[last] = value;
}

/** Where a key stands, or the nearest table above it. */
function findPosition(positions: ReadonlyMap<string, TextPosition>, path: Path): TextPosition | undefined {
  for (let length = path.length; length > 0; length--) {
    const found = positions.get(pathKey(path.slice(0, length)));
    if (found) return found;
  }
  return undefined;
}

type Detail = Pick<ConfigFault, "code" | "message" | "nearest">;

const faultMaker =
  (text: string, file: string, positions: ReadonlyMap<string, TextPosition>) =>
  (path: Path, { code, message, nearest }: Detail): ConfigFault => {
    const position = findPosition(positions, path) ?? { line: 0, column: 0 };
    const frame = position.line === 0 ? "" : renderFrame(text, position);
    return { file, ...position, code, key: path.join("."), message, nearest, frame };
  };

/** A line whose value may be a secret shows its key only. */
const SECRET_LINE = /(key|token|secret|password|authorization|headers)[^=]*=/i;
const maskLine = (line: string): string =>
  SECRET_LINE.test(line) ? `${line.slice(0, line.indexOf("=") + 1)} ***` : line.slice(0, 160);

function renderFrame(text: string, { line, column }: TextPosition): string {
  const lines = text.split(/\r?\n/);
  // Inside a table of headers every line is a secret, whatever its key is called.
  const table = lines.slice(0, line).findLast((one) => /^\s*\[/.test(one)) ?? "";
  const mask = (one: string) =>
    /headers\s*\]/.test(table) && one.includes("=") ? `${one.slice(0, one.indexOf("=") + 1)} ***` : maskLine(one);
  const shown = [line - 1, line, line + 1].filter((number) => number >= 1 && number <= lines.length);
  return shown
    .flatMap((number) => {
      const row = `${String(number).padStart(5)} | ${mask(lines[number - 1] ?? "")}`;
      return number === line ? [row, `${" ".repeat(5)} | ${" ".repeat(Math.max(0, column - 1))}^`] : [row];
    })
    .join("\n");
}

/** All faults as text for people. */
export function renderFaults(faults: readonly ConfigFault[]): string {
  const blocks = faults.map(({ file, line, column, message, nearest, frame }) => {
    const where = line === 0 ? file : `${file}:${line}:${column}`;
    const hint = nearest ? `. Did you mean "${nearest}"?` : "";
    return `${where}: ${message}${hint}${frame ? `\n${frame}` : ""}`;
  });
  return `${blocks.join("\n\n")}\n\n${faults.length} ${faults.length === 1 ? "fault" : "faults"} in the configuration.`;
}
