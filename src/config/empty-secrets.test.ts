import { expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import { loadConfig } from "./load.ts";
import { ConfigSchema } from "./schema.ts";
import { Provider } from "./schema-tables.ts";
import { type Path, walk } from "./walk.ts";

const EMPTY: readonly string[] = ["", " ", "\t\n", "\ufeff", "\0\0", "\u200b"];

/** Every secret of a schema: a table of any names is taken with one, a list with one entry. */
function listSecretPaths(schema: TSchema, path: Path = []): readonly Path[] {
  if (schema.secret === true) return [path];
  const more = typeof schema.additionalProperties === "object" ? { any_name: schema.additionalProperties } : {};
  const by_pattern = Object.values((schema.patternProperties ?? {}) as Record<string, TSchema>);
  const named = by_pattern.map((inner) => ["any_name", inner] as const);
  const inside = [...Object.entries({ ...(schema.properties as object), ...more }), ...named] as [string, TSchema][];
  const items = schema.type === "array" ? listSecretPaths(schema.items as TSchema, [...path, 0]) : [];
  return [...items, ...inside.flatMap(([name, inner]) => listSecretPaths(inner, [...path, name]))];
}

const place = ([name, ...rest]: Path, value: string): unknown => {
  if (name === undefined) return value;
  return typeof name === "number" ? [place(rest, value)] : { [name]: place(rest, value) };
};

const whole = Type.Object({
  config: ConfigSchema,
  provider: Provider,
  plugin: Type.Object({ my_key: Type.Optional(Type.String({ secret: true })) }),
});
const paths = listSecretPaths(whole);

test("every secret of the configuration is known here", () => {
  const names = paths.map((path) => path.join("."));
  expect(names).toEqual(
    expect.arrayContaining([
      ...["config.ledger.password", "config.models.0.api_key", "config.facilitators.0.headers.any_name"],
      ...["config.chains.any_name.headers.any_name", "config.alerts.0.token", "config.alerts.0.secret"],
      ...["config.alerts.0.password", "provider.api_key", "provider.client_secret", "plugin.my_key"],
    ]),
  );
});

test.each(paths.map((path) => [path.join("."), path] as const))("%s may be left out, and is never empty", (_, path) => {
  for (const text of EMPTY) {
    const fault = walk(whole, place(path, text)).faults.find((one) => one.path.join(".") === path.join("."));
    expect({ text, message: fault?.message }).toEqual({ text, message: expect.stringContaining("is empty: give it") });
  }
});

test("a variable that is set to nothing is reported by its name", () => {
  for (const text of EMPTY) {
    const env = { INTEL_NODE_LEDGER_PASSWORD: text };
    const read = loadConfig({ text: "", file: "node.toml", env });
    const [fault] = read.ok ? [] : read.faults;
    expect(fault).toMatchObject({ file: "environment", key: "INTEL_NODE_LEDGER_PASSWORD" });
  }
});
