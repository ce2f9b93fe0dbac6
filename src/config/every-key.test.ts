import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { loadConfig, readNamedPlugins, renderFaults } from "./load.ts";
import { ConfigSchema } from "./schema.ts";

/** A key of the configuration, as a path of names and places, and its neighbours in its table. */
interface Key {
  readonly path: readonly (string | number)[];
  readonly table: TSchema;
}

const NAMES = ["/a", "a"];

/** Every key of the schema, tables among them; of a table of free names one, and of a list of tables one entry. */
function listKeys(schema: TSchema, path: readonly (string | number)[] = []): readonly Key[] {
  if (schema.type === "array") return listKeys(schema.items as TSchema, [...path, 0]);
  if (schema.type !== "object") return [];
  const named = Object.entries((schema.properties ?? {}) as Record<string, TSchema>);
  const patterns = Object.entries((schema.patternProperties ?? {}) as Record<string, TSchema>).flatMap(
    ([pattern, child]): [string, TSchema][] => {
      const name = NAMES.find((one) => new RegExp(pattern).test(one));
      return name === undefined ? [] : [[name, child]];
    },
  );
  return [...named, ...patterns].flatMap(([name, child]) => [
    { path: [...path, name], table: schema },
    ...listKeys(child, [...path, name]),
  ]);
}

/** A value of a key's kind, where the schema shows one. */
const exampleOf = ({ default: value, example, anyOf }: TSchema): unknown =>
  value ?? example ?? (anyOf as readonly { const: unknown }[] | undefined)?.[0]?.const;

const toTOML = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(toTOML).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)} = ${toTOML(inner)}`)
    .join(", ")} }`;
};

/** A file in which one key has a value, or is absent, and those beside it are as their examples show. */
function renderFile({ path, table }: Key, value: unknown): string {
  const name = String(path.at(-1));
  const beside = Object.entries((table.properties ?? {}) as Record<string, TSchema>).flatMap(([key, schema]) => {
    const example = key === name || schema.type === "object" ? undefined : exampleOf(schema);
    return example === undefined ? [] : [[key, example] as const];
  });
  const own = value === undefined ? [] : [[name, value] as const];
  const inner: unknown = Object.fromEntries([...beside, ...own]);
  const whole = path
    .slice(0, -1)
    .reduceRight<unknown>((held, step) => (typeof step === "number" ? [held] : { [step]: held }), inner);
  return Object.entries(whole as object)
    .map(([key, held]) => `${JSON.stringify(key)} = ${toTOML(held)}\n`)
    .join("");
}

const VALUES: Readonly<Record<string, unknown>> = {
  absent: undefined,
  "a number": 7,
  "a number below 0": -1,
  "a wrong word": "no such word",
  "an empty text": "",
  blanks: "  ",
  "a truth": true,
  "an empty list": [],
  "a list of numbers": [7],
  "a list of lists": [[]],
  "a list of texts": ["no such word"],
  "an empty table": {},
  "a list of tables": [{}],
  "a name": "constructor",
};

/** What is wrong with what a person must be told: of each fault where it stands and what should be there. */
function judge(text: string): readonly string[] {
  readNamedPlugins({ text, env: {} });
  const result = loadConfig({ text, file: "node.toml", env: {} });
  if (result.ok) return [];
  const bare = result.faults.filter(({ line, column, message }) => line < 1 || column < 1 || message.length < 10);
  if (renderFaults(result.faults).includes("undefined")) return ["says undefined"];
  return bare.map(({ key, message }) => `${key}: ${message}`);
}

const KEYS = listKeys(ConfigSchema);

test("every key of the schema is tried", () => {
  expect(KEYS.length).toBeGreaterThan(200);
});

describe.each(Object.entries(VALUES))("%s", (_what, value) => {
  test("is taken or refused with line, column and what should be there, whichever key has it", () => {
    const odd = KEYS.flatMap((key) => {
      try {
        return judge(renderFile(key, value)).map((fault) => `${key.path.join(".")}: ${fault}`);
      } catch (error) {
        return [`${key.path.join(".")} threw ${String(error)}`];
      }
    });
    expect(odd).toEqual([]);
  });
});

test.each(["mail", "smpt", "push", "", "constructor"])(
  'an alert of kind "%s" is refused with what there is',
  (kind) => {
    const result = loadConfig({ text: `[[alerts]]\nkind = "${kind}"\n`, file: "node.toml", env: {} });
    if (result.ok) throw new Error("was taken");
    expect(result.faults).toMatchObject([{ line: 2, column: 1, code: "wrong_value", key: "alerts.0.kind" }]);
    expect(result.faults[0]?.message).toBe('"kind" must be "ntfy" or "webhook" or "smtp" or "email"');
  },
);

test("an alert without a kind is refused with its line, and what is near is named", () => {
  const missing = loadConfig({ text: '\n[[alerts]]\nleast = "info"\n', file: "node.toml", env: {} });
  expect(missing.ok ? [] : missing.faults.map(({ line, message }) => [line, message])).toEqual([
    [2, '"kind" is missing: "ntfy" or "webhook" or "smtp" or "email"'],
  ]);
  const text = '[[alerts]]\nkind = "emial"\nevents = ["ledgr"]\n';
  const near = loadConfig({ text, file: "node.toml", env: {} });
  expect(near.ok ? [] : near.faults.map(({ nearest }) => nearest)).toEqual(["email", "ledger"]);
});

test("email is another word for smtp", () => {
  const text = '[[alerts]]\nkind = "email"\nhost = "mail.example.com"\nfrom = "a@example.com"\n';
  const result = loadConfig({ text, file: "node.toml", env: {} });
  expect(result.ok ? [] : result.faults.map(({ message }) => message)).toEqual(['an alert of kind "email" needs "to"']);
  expect(loadConfig({ text: `${text}to = "b@example.com"\n`, file: "node.toml", env: {} }).ok).toBe(true);
});
