import type { TSchema } from "@sinclair/typebox";
import { getOwn } from "../core/own.ts";
import { envName } from "./env.ts";
import { ConfigSchema, createConfigSchema, NO_OWN_TABLES, type OwnTables } from "./schema.ts";
import { describeExpected, type Path } from "./walk.ts";

const toTOML = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(toTOML).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const pairs = Object.entries(value).map(([name, inner]) => `${name} = ${toTOML(inner)}`);
    return pairs.length > 0 ? `{ ${pairs.join(", ")} }` : "{}";
  }
  return JSON.stringify(value);
};

const keyLine = (path: Path, schema: TSchema): string[] => {
  const name = String(path.at(-1));
  const has_default = schema.default !== undefined && !(Array.isArray(schema.default) && schema.default.length === 0);
  const shown = has_default ? schema.default : (schema.example ?? schema.default);
  const kind = has_default ? "default" : "unset";
  return [
    `# ${schema.description ?? describeExpected(schema)} (${kind}; ${envName(path)})`,
    `#${name} = ${toTOML(shown)}`,
  ];
};

/** One table as TOML: every key as a comment with its meaning, its default or an example. */
function renderTable(schema: TSchema, path: Path, header: string): string[] {
  const lines = [`# ${schema.description ?? ""}`.trimEnd(), header];
  const tables: string[] = [];
  for (const [name, child] of Object.entries(schema.properties as Record<string, TSchema>)) {
    const inner = [...path, name];
    if (child.type === "object" && child.properties)
      tables.push("", ...renderTable(child, inner, `[${inner.join(".")}]`));
    else lines.push(...keyLine(inner, child));
  }
  return [...lines, ...tables];
}

/** Tables whose names the operator chooses: shown with one example name, as comments. */
const OPEN_TABLES: Readonly<Record<string, string>> = { chains: "base", plans: "day_pass" };
/** Tables of keys that the operator chooses: shown with one, as a comment. */
const OPEN_KEYS: Readonly<Record<string, string>> = {
  prices: '"/fear-greed" = "0.02"',
  aliases: '"/old-name" = "/fear-greed"',
};
const comment = (lines: readonly string[]): string[] =>
  lines.map((line) => (line.startsWith("#") || line === "" ? line : `#${line}`));

/** The keys every provider has, shown once; then those with keys of their own, each with these alone. */
function renderProviders(shared: TSchema, { providers }: OwnTables): readonly string[] {
  const { kraken, ...others } = providers;
  const first = { ...shared, properties: { ...shared.properties, ...kraken?.properties } };
  const tables = [["kraken", first] as const, ...Object.entries(others)];
  return tables.flatMap(([id, table]) => {
    const described = { ...table, description: table.description ?? "keys of its own, beside those of every provider" };
    return ["", ...comment(renderTable(described, ["providers", id], `[providers.${id}]`))];
  });
}

/**
 * The example configuration, from the schema alone. It is valid as it stands: a node that serves its free pages and
 * sells nothing until a wallet and a facilitator are set.
 */
export function renderExample(own: OwnTables = NO_OWN_TABLES): string {
  const lines = [
    "# intel-node configuration. Generated from src/config/schema.ts by `bun run gen`: do not edit.",
    "# Every key is shown with its default or an example; remove the # to set it.",
    '# Durations are texts with a unit ("15m"), money is in USD ("0.01"). Environment variables win over this file.',
  ];
  const { properties } = createConfigSchema(own);
  for (const [name, whole] of Object.entries(properties as Record<string, TSchema>)) {
    const schema = name === "providers" ? ConfigSchema.properties.providers : whole;
    lines.push("");
    const patterns = Object.values((schema.patternProperties ?? {}) as Record<string, TSchema>)[0];
    if (schema.type === "array") lines.push(...comment(renderTable(schema.items as TSchema, [name, 0], `[[${name}]]`)));
    else if (patterns?.properties) {
      const path = [name, getOwn(OPEN_TABLES, name) ?? "name"];
      lines.push(...comment(renderTable(patterns, path, `[${path.join(".")}]`)));
    } else if (patterns) lines.push(`# ${schema.description}`, `[${name}]`, `#${getOwn(OPEN_KEYS, name)}`);
    else lines.push(...renderTable(schema, [name], `[${name}]`));
    if (name === "providers") lines.push(...renderProviders(schema.additionalProperties as TSchema, own));
  }
  return `${lines.join("\n")}\n`;
}
